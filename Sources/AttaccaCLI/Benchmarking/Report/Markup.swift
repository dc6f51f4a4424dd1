// SPDX-License-Identifier: Apache-2.0

/// A piece of a page, HTML or SVG inside it; whatever text it is made of comes out escaped.
///
/// What is written is XML, too.
enum Markup {
  case text(String)
  case element(String, [(name: String, value: String)], [Markup])

  /// An element with what stands in it.
  static func tag(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ content: [Markup] = []
  ) -> Markup {
    .element(name, attributes.map { ($0.key, $0.value) }, content)
  }

  /// An element with nothing but text in it.
  static func tag(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], text: String
  ) -> Markup {
    tag(name, attributes, [.text(text)])
  }

  /// As it stands in the file.
  var source: String {
    var source = ""
    write(into: &source)
    return source
  }

  /// HTML's elements that have no end tag.
  private static let empty: Set = ["meta", "br", "hr"]
  /// Elements that begin a line: a page that people may look into.
  private static let onOwnLine: Set = [
    "head", "body", "meta", "title", "style", "header", "section", "footer", "figure", "table",
    "tr", "p", "h1", "h2", "h3", "svg", "g", "dl", "dt",
  ]

  private func write(into source: inout String) {
    switch self {
    case .text(let text): source += Self.escaped(text)
    case .element(let name, let attributes, let content):
      if Self.onOwnLine.contains(name) { source += "\n" }
      source += "<" + name
      for (name, value) in attributes { source += " \(name)=\"\(Self.escaped(value))\"" }
      if Self.empty.contains(name) {
        source += "/>"
        return
      }
      source += ">"
      for piece in content { piece.write(into: &source) }
      source += "</\(name)>"
    }
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text.withoutControls {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.append(character)
      }
    }
    return escaped
  }
}
