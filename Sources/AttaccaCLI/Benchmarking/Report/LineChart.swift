// SPDX-License-Identifier: Apache-2.0

/// Lines over two axes, each with its name at its end.
struct LineChart {
  struct Line {
    let name: String
    let color: Int
    let points: [(x: Double, y: Double)]
  }

  let description: String
  let horizontal: Axis
  let vertical: Axis
  let lines: [Line]

  private static let left = 34.0
  private static let right = 130.0
  private static let top = 26.0
  private static let height = 270.0
  private static let below = 40.0
  private static var plotWidth: Double { Drawing.width - left - right }

  var svg: Markup {
    Drawing.picture(
      description, height: Self.top + Self.height + Self.below, grid + curves + names)
  }

  private func x(_ value: Double) -> Double {
    Self.left + horizontal.place(value) * Self.plotWidth
  }
  private func y(_ value: Double) -> Double {
    Self.top + (1 - vertical.place(value)) * Self.height
  }

  private var grid: [Markup] {
    let bottom = Self.top + Self.height
    var grid = [Drawing.text(vertical.title, x: 0, y: 12, style: "soft")]
    for tick in vertical.ticks {
      let y = Self.top + (1 - tick.place) * Self.height
      grid.append(Drawing.line(Self.left, y, Self.left + Self.plotWidth, y, style: "grid"))
      grid.append(
        Drawing.text(tick.text, x: Self.left - 6, y: y + 4, anchor: "end", style: "soft"))
    }
    for tick in horizontal.ticks {
      let x = Self.left + tick.place * Self.plotWidth
      grid.append(Drawing.line(x, bottom, x, bottom + 4, style: "grid"))
      grid.append(Drawing.text(tick.text, x: x, y: bottom + 17, anchor: "middle", style: "soft"))
    }
    let middle = Self.left + Self.plotWidth / 2
    grid.append(
      Drawing.text(horizontal.title, x: middle, y: bottom + 34, anchor: "middle", style: "soft"))
    return grid
  }

  private var curves: [Markup] {
    lines.map { line in
      let points = line.points.map { "\(Drawing.number(x($0.x))),\(Drawing.number(y($0.y)))" }
      return .tag(
        "polyline",
        ["points": points.joined(separator: " "), "class": "curve \(Drawing.color(line.color))"])
    }
  }

  private var names: [Markup] {
    let ends = lines.map { line in line.points.last.map { y($0.y) } ?? Self.top }
    let places = Self.spread(ends, gap: 15, in: Self.top...Self.top + Self.height)
    let edge = Self.left + Self.plotWidth
    return zip(lines, zip(ends, places)).flatMap { line, place in
      let end = line.points.last.map { x($0.x) } ?? edge
      return [
        Drawing.line(
          end, place.0, edge + 8, place.1, style: "lead \(Drawing.color(line.color))"),
        Drawing.text(
          line.name, x: edge + 11, y: place.1 + 4, style: "name \(Drawing.color(line.color))"),
      ]
    }
  }

  /// Places near `wanted`, in its order, at least `gap` apart and within `range` if they fit there.
  static func spread(_ wanted: [Double], gap: Double, in range: ClosedRange<Double>) -> [Double] {
    let order = wanted.indices.sorted { wanted[$0] < wanted[$1] }
    var places = wanted
    var least = range.lowerBound
    for i in order {
      places[i] = max(wanted[i], least)
      least = places[i] + gap
    }
    var most = range.upperBound
    for i in order.reversed() {
      places[i] = min(places[i], most)
      most = places[i] - gap
    }
    return places
  }
}
