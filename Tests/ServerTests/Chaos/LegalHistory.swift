// SPDX-License-Identifier: Apache-2.0

/// Whether what a monitor hears can be: frames of an item in order, an item's last one followed by an
/// item's first; and what is anything else only where something was done that explains it.
struct LegalHistory {
  /// What was heard last.
  private enum Run: Equatable {
    case nothing
    case silence
    /// Faded, mixed or converted.
    case other
    /// The frame that would be next of an item, and how many of it have been heard in a row.
    case item(Int, next: Int, count: Int)
  }

  /// Frames of each item, by its number.
  let lengths: [Int: Int]
  private var run = Run.nothing
  /// Frames in a row that are an item's, each the next one.
  private(set) var inOrder = 0

  init(lengths: [Int: Int]) { self.lengths = lengths }

  /// The item and frame that was heard last, where it was one's.
  var last: (item: Int, frame: Int)? {
    if case .item(let item, let next, _) = run { (item, next - 1) } else { nil }
  }

  /// Takes the next frame.
  ///
  /// - Returns: what cannot follow what was heard before, unless something explains it.
  mutating func hear(_ left: Float, _ right: Float) -> String? {
    if left == 0 && right == 0 {
      return follow(.silence, "silence")
    }
    let (number, item) = (left * Float(Heard.frameLimit), right * Float(Heard.itemLimit))
    guard number >= 1, number == number.rounded(), item >= 1, item == item.rounded(),
      let length = lengths[Int(item)], Int(number) <= length
    else {
      return follow(.other, "a frame of \(left), \(right)")
    }
    return hear(frame: Int(number) - 1, of: Int(item))
  }

  private mutating func hear(frame: Int, of item: Int) -> String? {
    let first = Run.item(item, next: frame + 1, count: 1)
    guard case .item(let last, let next, let count) = run else {
      return follow(first, "frame \(frame) of item \(item)")
    }
    if item == last, frame == next {
      run = .item(item, next: next + 1, count: count + 1)
      inOrder += 1
      return nil
    }
    if next == lengths[last], frame == 0 {
      run = first
      inOrder += 1
      return nil
    }
    return follow(first, "frame \(frame) of item \(item)")
  }

  private mutating func follow(_ new: Run, _ what: String) -> String? {
    let old = run
    run = new
    guard new != old else { return nil }
    inOrder = 0
    // What a fade ends with was explained where the fade began.
    return switch old {
    case .nothing, .other: nil
    case .silence: "\(what) after silence"
    case .item(let item, let next, let count):
      "\(what) after \(count) frames up to \(next - 1) of item \(item)"
    }
  }
}
