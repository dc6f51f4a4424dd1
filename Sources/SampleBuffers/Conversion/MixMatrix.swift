// SPDX-License-Identifier: Apache-2.0

/// The coefficients that take one channel layout to another.
///
/// Each input speaker that the output lacks goes to the first of its alternatives that the output
/// has in full. The numbers are those of ITU-R
/// BS.775-3 annex 4: centre and surrounds at -3 dB into left and right, no low frequency effects.
struct MixMatrix {
  private typealias Speaker = ChannelLayout.Speaker

  /// Input channels of output channel 0, then of output channel 1, and so on.
  let coefficients: [Float]
  private let inputCount: Int

  init(from input: ChannelLayout, to output: ChannelLayout) {
    let (inputs, outputs) = (Self.places(of: input), Self.places(of: output))
    var matrix = [Double](repeating: 0, count: inputs.count * outputs.count)
    for (i, speaker) in inputs.enumerated() {
      for (target, level) in Self.spread(speaker, inputs: inputs, to: outputs) {
        for (o, place) in outputs.enumerated() where place == target {
          matrix[o * inputs.count + i] += level
        }
      }
    }
    inputCount = inputs.count
    coefficients = matrix.map(Float.init)
  }

  /// The one input channel of each output channel (-1: none) if none needs a sum or a factor.
  var sources: [Int]? {
    var sources: [Int] = []
    for start in stride(from: 0, to: coefficients.count, by: inputCount) {
      let row = coefficients[start..<start + inputCount]
      let used = row.indices.filter { row[$0] != 0 }
      guard used.count <= 1, used.allSatisfy({ row[$0] == 1 }) else { return nil }
      sources.append(used.first.map { $0 - start } ?? -1)
    }
    return sources
  }

  /// The speakers of `layout`; a lone centre, as WAVE files have it, is mono.
  private static func places(of layout: ChannelLayout) -> [Speaker] {
    layout.speakers == [.frontCenter] ? [.mono] : layout.speakers
  }

  /// -3 dB.
  private static let less = 0.5.squareRoot()

  /// The speakers among `outputs` that `speaker` is heard from, with their levels.
  private static func spread(
    _ speaker: Speaker, inputs: [Speaker], to outputs: [Speaker]
  ) -> [(Speaker, Double)] {
    if outputs.contains(speaker) { return [(speaker, 1)] }
    for split in alternatives(to: speaker, inputs: inputs)
    where split.allSatisfy({ outputs.contains($0.0) }) {
      return split
    }
    return []
  }

  /// Returns the speakers that `speaker` may go to instead, the best first.
  private static func alternatives(
    to speaker: Speaker, inputs: [Speaker]
  ) -> [[(Speaker, Double)]] {
    switch speaker {
    case .mono:
      // At full level to both: the same samples, as a mono file is played everywhere.
      return [
        [(.frontLeft, 1), (.frontRight, 1)], [(.frontCenter, 1)],
        [(.sideLeft, 1), (.sideRight, 1)], [(.backLeft, 1), (.backRight, 1)],
      ]
    case .frontLeft, .frontRight:
      let isLeft = speaker == .frontLeft
      return [
        [(.mono, 0.5)], [(isLeft ? .frontLeftOfCenter : .frontRightOfCenter, 1)],
        [(.frontCenter, 0.5)], [(isLeft ? .sideLeft : .sideRight, 1)],
        [(isLeft ? .backLeft : .backRight, 1)],
      ]
    case .frontCenter:
      return [
        [(.frontLeft, less), (.frontRight, less)],
        [(.frontLeftOfCenter, less), (.frontRightOfCenter, less)], [(.mono, less)],
        [(.sideLeft, less), (.sideRight, less)], [(.backLeft, less), (.backRight, less)],
      ]
    case .lowFrequency:
      return []
    case .backLeft, .backRight, .sideLeft, .sideRight:
      let isLeft = speaker == .backLeft || speaker == .sideLeft
      let isBack = speaker == .backLeft || speaker == .backRight
      let other: Speaker =
        isBack ? (isLeft ? .sideLeft : .sideRight) : (isLeft ? .backLeft : .backRight)
      return [
        // Beside its own signal the other pair has room for this one at -3 dB only.
        [(other, inputs.contains(other) ? less : 1)],
        [(.backCenter, less)], [(isLeft ? .frontLeft : .frontRight, less)],
        [(.mono, less / 2)], [(.frontCenter, 0.5)],
      ]
    case .backCenter:
      return [
        [(.backLeft, less), (.backRight, less)], [(.sideLeft, less), (.sideRight, less)],
        [(.frontLeft, 0.5), (.frontRight, 0.5)], [(.mono, 0.5)], [(.frontCenter, less)],
      ]
    case .frontLeftOfCenter, .frontRightOfCenter:
      return [
        [(speaker == .frontLeftOfCenter ? .frontLeft : .frontRight, 1)], [(.frontCenter, less)],
        [(.mono, 0.5)],
      ]
    }
  }
}
