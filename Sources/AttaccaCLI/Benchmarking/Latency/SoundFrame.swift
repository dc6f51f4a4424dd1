// SPDX-License-Identifier: Apache-2.0

/// A frame on the player's channel, as it was found.
///
/// A sample says which frame of which sound it is: (sound · 2²⁰ + number + 1) · 2⁻²³, which 24 bits
/// hold exactly, and which is never near silence.
enum SoundFrame: Hashable {
  case silence
  /// Bit by bit as it was written.
  case exact(sound: Int, number: Int)
  /// Faded, mixed or wrong.
  case other

  /// Numbers are below that.
  static let numberLimit = (1 << 20) - 1
  /// Sounds are 1 to that.
  static let soundLimit = 7
  private static let scale = Float(1 << 23)

  /// Reads a sample that was multiplied by `gain`, a power of 2.
  init(_ sample: Float, gain: Float = 1) {
    let value = sample / gain * Self.scale
    if sample == 0 {
      self = .silence
    } else if value >= Float(1 << 20), value < Self.scale, value == value.rounded(),
      case let code = Int(value), code & Self.numberLimit > 0
    {
      self = .exact(sound: code >> 20, number: code & Self.numberLimit - 1)
    } else {
      self = .other
    }
  }

  /// Frame that follows it where nothing happens.
  var next: SoundFrame {
    if case .exact(let sound, let number) = self {
      .exact(sound: sound, number: number + 1)
    } else {
      self
    }
  }

  /// The sample of an exact frame.
  static func sample(sound: Int, number: Int) -> Float {
    Float(sound << 20 + number + 1) / scale
  }
}
