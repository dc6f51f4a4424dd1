// SPDX-License-Identifier: Apache-2.0

/// What of a numbered item is heard in a recording, to the frame.
///
/// A frame of a fade does not name itself: what lies between two stretches counts as the frames right before
/// the second one, as many as there are.
struct Account: CustomStringConvertible {
  /// Frames of the item, from its first to the last that is heard, that were never heard.
  let lost: Int
  /// Frames that were heard before.
  let repeated: Int
  /// The end of the last frame heard.
  let end: Int
  private let heard: [Heard]

  /// Of item `item`, whose first frame to be heard is `first`, in stereo recordings made one after the other.
  init(_ recordings: [Float]..., item: Int = 1, from first: Int = 0) {
    heard = recordings.flatMap { Heard.trimmed($0) }
    var (faded, count) = (0, 0)
    var stretches: [Range<Int>] = []
    for run in heard {
      switch run {
      case .silence: break
      case .other(let count): faded += count
      case .frames(item, let frames):
        // The first frame of a fade in is silent.
        let hidden = faded > 0 ? faded + 1 : 0
        let begin = max(first, frames.lowerBound - hidden)
        if begin < frames.upperBound { stretches.append(begin..<frames.upperBound) }
        count += max(0, frames.upperBound - begin)
        faded = 0
      case .frames: faded = 0
      }
    }
    var (next, missing) = (first, 0)
    for stretch in stretches.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      missing += max(0, stretch.lowerBound - next)
      next = max(next, stretch.upperBound)
    }
    (lost, end) = (missing, next)
    repeated = count - (next - first - missing)
  }

  var summary: String { "\(lost) frames lost, \(repeated) (\(repeated / 48) ms) repeated" }
  var description: String { "\(summary): \(heard)" }
}
