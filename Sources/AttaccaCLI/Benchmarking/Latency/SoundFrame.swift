// SPDX-License-Identifier: Apache-2.0

/// What one stereo frame is found to be: left is its number, right its sound's.
///
/// Both are multiples of a power of two, so that 24 bits hold them exactly.
enum SoundFrame: Hashable {
  case silence
  /// Bit by bit as it was written.
  case exact(sound: Int, number: Int)
  /// Faded, mixed or wrong.
  case other

  /// Numbers are below that.
  static let numberLimit = 1 << 20
  static let soundLimit = 128

  init(left: Float, right: Float) {
    let (number, sound) = (left * Float(Self.numberLimit), right * Float(Self.soundLimit))
    if left == 0 && right == 0 {
      self = .silence
    } else if number >= 1, sound >= 1, number == number.rounded(), sound == sound.rounded() {
      self = .exact(sound: Int(sound), number: Int(number) - 1)
    } else {
      self = .other
    }
  }

  /// What follows it where nothing happens.
  var next: SoundFrame {
    if case .exact(let sound, let number) = self {
      .exact(sound: sound, number: number + 1)
    } else {
      self
    }
  }

  /// The samples of an exact frame.
  static func samples(sound: Int, number: Int) -> (left: Float, right: Float) {
    (Float(number + 1) / Float(numberLimit), Float(sound) / Float(soundLimit))
  }
}
