// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The files of `fixtures/` and what its manifest says of them.
struct Fixture: Sendable, CustomTestStringConvertible {
  let name: String
  let sampleRate: Int
  let channelCount: Int
  /// Heard frames; `nil` where parts differ in rate.
  let frameCount: Int?

  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "fixtures").path

  var path: String { Self.path(name) }
  var testDescription: String { name }

  static func path(_ name: String) -> String { "\(root)/\(name)" }

  /// Every file that plays.
  static let playable: [Fixture] = {
    let text = try! String(contentsOfFile: path("manifest.tsv"), encoding: .utf8)
    return text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: "\t").map(String.init)
      guard !fields[0].hasPrefix("broken/") else { return nil }
      return Fixture(
        name: fields[0], sampleRate: Int(fields[1])!, channelCount: Int(fields[2])!,
        frameCount: Int(fields[3]))
    }
  }()

  /// Some that play, by name.
  static func named(_ names: String...) -> [Fixture] {
    names.map { name in playable.first { $0.name == name }! }
  }
}
