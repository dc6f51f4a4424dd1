// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The inputs that the fuzzers begin with, and those they have found something with, once each.
@Suite struct CorpusTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Fuzzing")

  private static func files(in folder: String) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: root.appending(path: folder), includingPropertiesForKeys: nil
    ).sorted { $0.path < $1.path }
  }

  @Test(arguments: FuzzTarget.allCases)
  func `what strangers may send keeps the promises`(target: FuzzTarget) throws {
    let inputs = try Self.files(in: "Corpus/\(target.rawValue)")
    #expect(!inputs.isEmpty)
    for input in inputs {
      #expect(throws: Never.self, "\(input.lastPathComponent)") {
        try target.check([UInt8](try Data(contentsOf: input)))
      }
    }
  }

  /// Named after their target, up to the first dash.
  @Test func `what has broken a promise once keeps it now`() throws {
    for input in try Self.files(in: "Findings") {
      let name = input.lastPathComponent
      let target = try #require(FuzzTarget(rawValue: String(name.prefix { $0 != "-" })), "\(name)")
      #expect(throws: Never.self, "\(name)") {
        try target.check([UInt8](try Data(contentsOf: input)))
      }
    }
  }
}
