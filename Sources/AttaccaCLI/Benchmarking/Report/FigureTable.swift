// SPDX-License-Identifier: Apache-2.0

/// Figures in rows, the first column being names.
struct FigureTable {
  let head: [String]
  let rows: [[String]]

  var markup: Markup {
    let head = Markup.tag("tr", [:], head.map { .tag("th", text: $0) })
    let rows = rows.map { row in Markup.tag("tr", [:], row.map { .tag("td", text: $0) }) }
    // It scrolls by itself where it is wider than the screen.
    return .tag("div", ["class": "table"], [.tag("table", [:], [head] + rows)])
  }
}
