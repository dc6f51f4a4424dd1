// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What `scripts/run-tests --again` makes of tests that fail, with a runner that fails as it is told.
@Suite struct RunTestsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    // Each run takes a line of `failing`: the numbers of the tests that fail in it.
    try write(
      """
      #!/bin/bash
      cd '\(folder.file(""))'
      if [ "$3" = --list-tests ]; then
        for n in 1 2 3; do echo "Suite/\\`fact $n\\`()"; done
        exit
      fi
      [ -e /proc/self/fd/1000 ] && echo "has descriptor 1000"
      echo run >>runs
      failing=$(sed -n "$(wc -l <runs)p" failing)
      for n in $failing; do
        echo "✘ Test \\"fact $n\\" recorded an issue at File.swift:1:1: Expectation failed: cause $n"
        echo "printed by a test beside it"
        echo "↳ account $n"
        echo "↳ /// What the fact is for."
        echo "✘ Test \\"fact $n\\" failed after 0.1 seconds with 1 issue."
      done
      echo "✔ Test run with ${#} tests" | sed "s/with .*/with $(wc -w <<<"$(sed -n 1p failing)") tests passed/"
      [ -z "$failing" ]
      """, as: "AttaccaPackageTests.xctest")
    // What has been built lies where the builder says.
    try write("#!/bin/bash\necho '\(folder.path)'\n", as: "swift")
  }

  private func write(_ script: String, as name: String) throws {
    let path = folder.file(name)
    try script.write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  /// Runs the script until `failing` is used up, each time with the same file of second runs.
  private func run(failing: [String]) throws -> (status: Int32, runs: Int, output: String) {
    try failing.map { $0 + "\n" }.joined()
      .write(toFile: folder.file("failing"), atomically: true, encoding: .utf8)
    let process = Process()
    let project = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    process.executableURL = project.appendingPathComponent("scripts/run-tests")
    process.arguments = ["--again", folder.file("again"), "1", "--filter", "Suite"]
    let environment = ProcessInfo.processInfo.environment
    process.environment = environment.merging(
      ["PATH": folder.path + ":" + (environment["PATH"] ?? "/usr/bin:/bin")],
      uniquingKeysWith: { $1 })
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let runs = try String(contentsOfFile: folder.file("runs"), encoding: .utf8)
    return (
      process.terminationStatus, runs.split(separator: "\n").count,
      String(decoding: text, as: UTF8.self)
    )
  }

  @Test func `a test that fails once is run once more, and named with its cause`() throws {
    let (status, runs, output) = try run(failing: ["2", ""])
    #expect(status == 0)
    #expect(runs == 2)
    #expect(output.contains("    fact 2: 1:1: Expectation failed: cause 2 (account 2)"))
  }

  /// Programs that tests start are given no pipe of others below it: one of those kept a run from ending.
  @Test func `the tests have a descriptor above all that they open`() throws {
    #expect(try run(failing: [""]).output.contains("has descriptor 1000"))
  }

  @Test func `a test that fails twice has failed`() throws {
    let (status, runs, _) = try run(failing: ["2", "2", ""])
    #expect(status != 0)
    #expect(runs == 2)
  }

  @Test func `three tests that fail are not run again`() throws {
    let (status, runs, _) = try run(failing: ["1 2 3", ""])
    #expect(status != 0)
    #expect(runs == 1)
  }

  @Test func `second runs are counted over all that share a file`() throws {
    try "fact 8: of an earlier one\nfact 9: of another\n"
      .write(toFile: folder.file("again"), atomically: true, encoding: .utf8)
    let (status, runs, output) = try run(failing: ["2", ""])
    #expect(status != 0)
    #expect(runs == 1)
    #expect(output.contains("fact 8") && output.contains("fact 2"))
  }
}
