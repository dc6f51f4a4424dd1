// SPDX-License-Identifier: Apache-2.0

/// The elements of plots: 380 wide, so that text can be read on a telephone.
enum Drawing {
  static let width = 380.0

  /// A picture with a description for those who do not see it.
  static func picture(_ description: String, height: Double, _ content: [Markup]) -> Markup {
    .tag(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "viewBox": "0 0 \(number(width)) \(number(height))",
        "role": "img", "aria-label": description,
      ], content)
  }

  static func text(
    _ text: String, x: Double, y: Double, anchor: String = "start", style: String = ""
  ) -> Markup {
    .tag(
      "text", ["x": number(x), "y": number(y), "text-anchor": anchor, "class": style],
      text: text)
  }

  static func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, style: String)
    -> Markup
  {
    .tag(
      "line",
      [
        "x1": number(x1), "y1": number(y1), "x2": number(x2), "y2": number(y2), "class": style,
      ])
  }

  static func box(
    x: Double, y: Double, width: Double, height: Double, style: String
  ) -> Markup {
    .tag(
      "rect",
      [
        "x": number(x), "y": number(y), "width": number(max(width, 0.5)),
        "height": number(height), "class": style,
      ])
  }

  /// The class of a colour: the style sheet has eight, for light and for dark.
  static func color(_ number: Int) -> String { "c\(number % 8)" }

  /// Tenths of a unit are finer than a screen shows.
  static func number(_ value: Double) -> String { value.text(decimals: 1) }
}
