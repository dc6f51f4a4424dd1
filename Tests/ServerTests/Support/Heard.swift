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
      var i = 0
      while i + 1 < samples.count {
        let (left, right) = (samples[i], samples[i + 1])
        i += 2
        let (number, item) = (left * Float(frameLimit), right * Float(itemLimit))
        let isExact =
          number >= 1 && number == number.rounded() && item >= 1 && item == item.rounded()
        switch heard.last {
        case .silence(let count)? where left == 0 && right == 0:
          heard[heard.count - 1] = .silence(count + 1)
        case .frames(let last, let run)?
        where isExact && Float(last) == item && Float(run.upperBound + 1) == number:
          heard[heard.count - 1] = .frames(item: last, run.lowerBound..<(run.upperBound + 1))
        case .other(let count)? where !isExact && !(left == 0 && right == 0):
          heard[heard.count - 1] = .other(count + 1)
        default:
          if left == 0 && right == 0 {
            heard.append(.silence(1))
          } else if isExact {
            heard.append(.frames(item: Int(item), Int(number) - 1..<Int(number)))
          } else {
            heard.append(.other(1))
          }
        }
      }
    }
    return heard
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
