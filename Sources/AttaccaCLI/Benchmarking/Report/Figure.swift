// SPDX-License-Identifier: Apache-2.0

/// A plot with its heading.
struct Figure {
  let title: String
  /// Explanation of how it is to be read.
  let note: String
  let plot: Markup

  var markup: Markup {
    .tag(
      "figure", [:],
      [.tag("figcaption", [:], [.tag("b", text: title), .tag("span", text: note)]), plot])
  }
}
