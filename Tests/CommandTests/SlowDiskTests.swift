// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestFixtures
import Testing

@Suite struct SlowDiskTests {
  /// 4 hours of 128 kbit/s without a count.
  private static let bytes = 240_000_000

  @Test func `a long MP3 without a count plays from a disk that takes 12 s to read it`() throws {
    let folder = try TemporaryFolder()
    let library = "\(folder.path)/slow_disk.so"
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("SlowDisk/slow_disk.c").path
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = ["clang", "-shared", "-fPIC", "-O2", "-o", library, source]
    try compiler.run()
    compiler.waitUntilExit()
    try #require(compiler.terminationStatus == 0, "clang is missing")

    let piece = try Data(
      contentsOf: URL(fileURLWithPath: Fixtures.path("formats/mp3-cbr-no-header.mp3")))
    var long = Data(capacity: Self.bytes + piece.count)
    while long.count < Self.bytes { long += piece }
    let path = "\(folder.path)/long.mp3"
    try long.write(to: URL(fileURLWithPath: path))

    let clock = ContinuousClock()
    let begin = clock.now
    let run = try Attacca(
      ["play", "--output", "null", path], signal: SIGINT, environment: ["LD_PRELOAD": library])
    let time = clock.now - begin
    #expect(run.output.hasPrefix("1 of 1: "), "\(run.errors)")
    #expect(run.errors.isEmpty)
    // Less than reading all of it, however busy the machine is; the pause and the exit are part of it.
    #expect(time < .seconds(12))
  }
}
