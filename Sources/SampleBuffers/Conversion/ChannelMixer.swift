// SPDX-License-Identifier: Apache-2.0

/// Mixes frames of one channel layout into another, by speaker.
///
/// Speakers that both layouts have keep their level. The others go to their neighbours by the
/// coefficients of ITU-R BS.775 (`MixMatrix`). Channels that are merely copied or reordered stay
/// equal to the bit. Nothing is normalised or clipped: a sum may exceed full scale.
public struct ChannelMixer: Sendable {
  private enum Plan: Sendable {
    case copy
    /// Each output channel is one input channel, or silence (-1).
    case pick([Int])
    /// Both output channels are the one input channel.
    case double
    case average
    case matrix
  }

  /// The layout of the frames that come in.
  public let input: ChannelLayout
  /// The layout of the frames that go out.
  public let output: ChannelLayout
  /// Input channels of output channel 0, then of output channel 1, and so on.
  private let coefficients: [Float]
  private let plan: Plan

  /// The mix from `input` to `output`.
  public init(from input: ChannelLayout, to output: ChannelLayout) {
    (self.input, self.output) = (input, output)
    let matrix = MixMatrix(from: input, to: output)
    coefficients = matrix.coefficients
    if input == output {
      plan = .copy
    } else if let sources = matrix.sources {
      if sources == Array(0..<input.channelCount) {
        plan = .copy
      } else {
        plan = sources == [0, 0] && input.channelCount == 1 ? .double : .pick(sources)
      }
    } else if coefficients == [0.5, 0.5] {
      plan = .average
    } else {
      plan = .matrix
    }
  }

  /// True where mixing would change nothing.
  public var isIdentity: Bool {
    if case .copy = plan { true } else { false }
  }

  /// Mixes `frameCount` frames.
  ///
  /// - Precondition: `source` and `target` do not overlap and hold that many frames of their layout.
  public func mix(
    _ source: UnsafePointer<Float>, frameCount: Int, into target: UnsafeMutablePointer<Float>
  ) {
    switch plan {
    case .copy:
      target.update(from: source, count: frameCount * input.channelCount)
    case .pick(let sources):
      pick(sources, source, frameCount, target)
    case .double:
      var i = 0
      while i < frameCount {
        target[2 &* i] = source[i]
        target[2 &* i &+ 1] = source[i]
        i &+= 1
      }
    case .average:
      var i = 0
      while i < frameCount {
        target[i] = 0.5 * source[2 &* i] + 0.5 * source[2 &* i &+ 1]
        i &+= 1
      }
    case .matrix:
      multiply(source, frameCount, target)
    }
  }

  private func pick(
    _ sources: [Int], _ source: UnsafePointer<Float>, _ frameCount: Int,
    _ target: UnsafeMutablePointer<Float>
  ) {
    let (inputs, outputs) = (input.channelCount, sources.count)
    for (channel, origin) in sources.enumerated() {
      var i = 0
      while i < frameCount {
        target[i &* outputs &+ channel] = origin < 0 ? 0 : source[i &* inputs &+ origin]
        i &+= 1
      }
    }
  }

  private func multiply(
    _ source: UnsafePointer<Float>, _ frameCount: Int, _ target: UnsafeMutablePointer<Float>
  ) {
    let (inputs, outputs) = (input.channelCount, output.channelCount)
    coefficients.withUnsafeBufferPointer { coefficients in
      let factors = coefficients.baseAddress!  // 1 to 64 coefficients
      var frame = source
      var mixed = target
      for _ in 0..<frameCount {
        var row = factors
        var o = 0
        while o < outputs {
          var sum: Float = 0
          var i = 0
          while i < inputs {
            sum += row[i] * frame[i]
            i &+= 1
          }
          mixed[o] = sum
          row += inputs
          o &+= 1
        }
        frame += inputs
        mixed += outputs
      }
    }
  }
}
