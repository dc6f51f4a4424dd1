// SPDX-License-Identifier: Apache-2.0

import Answers
import Attacca
import Glibc
@testable import Rendering

/// Filling the server's memory, in instructions: the same number on a busy machine.
///
/// The program starts itself under callgrind, which counts what `RenderLine.render` executes.
struct InstructionQuestion: Question {
  let name = "instructions"
  let asks = "how many instructions a frame takes from the ring to the server's memory"

  /// Frames of one fill, half a second.
  private static let frames = 24_000
  private static let render =
    "$s9Rendering10RenderLineV6render4from6frames4intoy9MediaTime11StreamFrameV_SiSpySfGtF"

  /// What a fill contains.
  enum Kind: String, CaseIterable {
    case unityGain = "unity gain"
    case gain
    case ramp
    case nothingButRamp = "nothing but ramp"
  }

  func answer(_ effort: Effort) throws -> [Answer] {
    try Kind.allCases.map { kind in
      let count = try Self.instructions(of: kind)
      return Answer(
        name: kind.rawValue, value: Double(count) / Double(Self.frames), unit: "a stereo frame",
        isJudged: true)
    }
  }

  private static func instructions(of kind: Kind) throws -> Int {
    let command =
      "valgrind --tool=callgrind --callgrind-out-file=/dev/null --collect-atstart=no "
      + "'--toggle-collect=\(render)' \(CommandLine.arguments[0]) --fill '\(kind.rawValue)' 2>&1"
    guard let output = popen(command, "r") else {
      throw BenchFailure("popen: \(String(cString: strerror(errno)))")
    }
    var text = ""
    var line = [CChar](repeating: 0, count: 1_024)
    while fgets(&line, Int32(line.count), output) != nil {
      text += line.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }
    let status = pclose(output)
    // "==123== Collected : 48123"
    let words = text.split(whereSeparator: \.isWhitespace)
    guard status == 0, let i = words.lastIndex(of: "Collected"), i + 2 < words.count,
      let count = Int(words[i + 2]), count > 0
    else { throw BenchFailure("valgrind says (status \(status)):\n\(text)") }
    return count
  }

  /// One fill, for who counts.
  static func fill(_ kind: Kind) {
    var line = RenderLine(channelCount: 2, capacity: frames, rate: 48_000)
    let samples = [Float](repeating: 0.5, count: 2 * frames)
    samples.withUnsafeBufferPointer { _ = line.append($0.baseAddress!, media: 0, count: frames) }
    line.start(at: 0, media: 0, fade: 0)
    switch kind {
    case .unityGain: break
    case .gain: line.setVolume(0.5, at: -10, length: 1)
    case .ramp: line.setVolume(0.5, at: 0, length: 240)
    case .nothingButRamp: line.setVolume(0.5, at: 0, length: frames)
    }
    let target = UnsafeMutablePointer<Float>.allocate(capacity: 2 * frames)
    defer { target.deallocate() }
    line.render(from: 0, frames: frames, into: target)
  }
}
