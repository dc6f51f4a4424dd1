// SPDX-License-Identifier: Apache-2.0

/// What a recording of numbered frames consists of.
enum Heard: Equatable, CustomStringConvertible {
  /// Frames that are zero.
  case silence(Int)
  /// Frames of an item, each bit by bit as it was written, one after the other.
  case frames(item: Int, Range<Int>)
  /// Frames that are neither: faded, mixed or wrong.
  case other(Int)

  static let frameLimit = 1 << 20
  static let itemLimit = 128

  /// Frames of the recording that it is made of.
  var count: Int {
    switch self {
    case .silence(let count), .other(let count): count
    case .frames(_, let frames): frames.count
    }
  }

  var description: String {
    switch self {
    case .silence(let count): "silence of \(count)"
    case .frames(let item, let frames): "\(item): \(frames.lowerBound)..<\(frames.upperBound)"
    case .other(let count): "\(count) others"
    }
  }

  /// Takes a stereo recording apart.
  static func read(_ samples: [Float]) -> [Heard] {
    var heard: [Heard] = []
    samples.withUnsafeBufferPointer { samples in
      let end = samples.count / 2 * 2
      var i = 0
      // A run at a time: in a debug build, what one frame costs is seen in how many can be played beside it.
      while i < end {
        let start = i
        if samples[i] == 0 && samples[i + 1] == 0 {
          repeat { i += 2 } while i < end && samples[i] == 0 && samples[i + 1] == 0
          heard.append(.silence((i - start) / 2))
        } else if let (item, number) = exact(samples[i], samples[i + 1]) {
          // Exact as they were written: the powers of two that both are divided by leave every bit.
          let right = samples[i + 1]
          var next = number + 1
          i += 2
          while i < end, samples[i + 1] == right, samples[i] == Float(next) / Float(frameLimit) {
            next += 1
            i += 2
          }
          heard.append(.frames(item: item, number - 1..<next - 1))
        } else {
          repeat {
            i += 2
          } while i < end && !(samples[i] == 0 && samples[i + 1] == 0)
            && exact(samples[i], samples[i + 1]) == nil
          heard.append(.other((i - start) / 2))
        }
      }
    }
    return heard
  }

  /// The item and the number, from 1 on, that a frame names, where it names any.
  private static func exact(_ left: Float, _ right: Float) -> (item: Int, number: Int)? {
    let (number, item) = (left * Float(frameLimit), right * Float(itemLimit))
    guard number >= 1, number == number.rounded(), item >= 1, item == item.rounded() else {
      return nil
    }
    return (Int(item), Int(number))
  }

  /// The same without silence, and what it parted put together where it goes on.
  static func sound(_ samples: [Float]) -> [Heard] {
    read(samples).reduce(into: []) { sound, next in
      switch (sound.last, next) {
      case (_, .silence): break
      case (.frames(let a, let first)?, .frames(let b, let second))
      where a == b && first.upperBound == second.lowerBound:
        sound[sound.count - 1] = .frames(item: a, first.lowerBound..<second.upperBound)
      default: sound.append(next)
      }
    }
  }

  /// The same without the silence before and after it.
  static func trimmed(_ samples: [Float]) -> [Heard] {
    var heard = read(samples)
    if case .silence? = heard.first { heard.removeFirst() }
    if case .silence? = heard.last { heard.removeLast() }
    return heard
  }
}

/// The largest step from one frame to the next on the left channel of a stereo recording.
func largestStep(_ samples: [Float]) -> Float {
  samples.withUnsafeBufferPointer { samples in
    var (largest, i): (Float, Int) = (0, 2)
    while i < samples.count {
      largest = max(largest, abs(samples[i] - samples[i - 2]))
      i += 2
    }
    return largest
  }
}
