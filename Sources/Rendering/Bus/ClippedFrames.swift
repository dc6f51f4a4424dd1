// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// Stream frames of a mix that are louder than full scale in a channel: marked as they are mixed, which may
/// be more than once, and counted when they have been heard.
struct ClippedFrames: ~Copyable {
  /// Frames that can be marked at a time, a power of two.
  static var capacity: Int64 { 1_048_576 }

  // A bit a frame, frame f in word f / 64. Owned: allocated here, freed in `deinit`, never handed out.
  private let words: UnsafeMutablePointer<UInt64>
  /// Frames before this one have been counted.
  private var counted: StreamFrame = 0
  /// Frames counted.
  private(set) var count = 0

  /// No marks, after `count` frames of other devices.
  init(count: Int = 0) {
    self.count = count
    words = .allocate(capacity: Int(Self.capacity / 64))
    words.initialize(repeating: 0, count: Int(Self.capacity / 64))
  }

  deinit { words.deallocate() }

  @_noLocks @_noAllocation
  private func word(of frame: Int64) -> Int { Int((frame &>> 6) & 0x3fff) }

  /// Marks those of `frames` frames from `frame` on that are too loud, and those only; none is where not
  /// `exceeds`.
  @_noLocks @_noAllocation
  func mark(
    _ samples: UnsafePointer<Float>, channelCount: Int, from frame: StreamFrame, frames: Int,
    exceeds: Bool
  ) {
    var done = 0
    if !exceeds, frame.number & 63 == 0 {
      // Whole words: 64 frames in one store.
      while done &+ 64 <= frames {
        words[word(of: frame.number &+ Int64(done))] = 0
        done &+= 64
      }
    }
    while done < frames {
      let at = frame &+ Int64(done)
      let first = UInt64(at.number & 63)
      var group = Int(64 &- first)
      if group > frames - done { group = frames - done }
      let all: UInt64 = group >= 64 ? .max : (1 &<< UInt64(group)) &- 1
      let bits = exceeds ? excesses(samples + done * channelCount, channelCount, group) : 0
      let place = word(of: at.number)
      words[place] = words[place] & ~(all &<< first) | bits &<< first
      done += group
    }
  }

  /// A bit for each of `frames` frames that is too loud.
  @_noLocks @_noAllocation
  private func excesses(
    _ samples: UnsafePointer<Float>, _ channelCount: Int, _ frames: Int
  ) -> UInt64 {
    var bits: UInt64 = 0
    var n = 0
    while n < frames {
      var i = n &* channelCount
      while i < (n &+ 1) &* channelCount {
        if samples[i] > 1 || samples[i] < -1 { bits |= 1 &<< UInt64(n) }
        i &+= 1
      }
      n &+= 1
    }
    return bits
  }

  /// Forgets the marks of `range`, of which nothing is heard.
  mutating func forget(_ range: Range<StreamFrame>) { visit(range) { _ in } }

  /// Counts those that lie before `frame`.
  mutating func count(before frame: StreamFrame) {
    guard frame > counted else { return }
    // Words come round again: none of them is further than those that are marked.
    let first = max(counted, frame - Self.capacity)
    var found = 0
    visit(first..<frame) { found += $0.nonzeroBitCount }
    count += found
    counted = frame
  }

  /// Takes the marks of `range` out of their words.
  private func visit(_ range: Range<StreamFrame>, _ body: (UInt64) -> Void) {
    var at = range.lowerBound.number
    let end = range.upperBound.number
    while at < end {
      let next = min((at | 63) + 1, end)
      let length = next - at
      let all: UInt64 = length == 64 ? .max : (1 << UInt64(length)) - 1
      let mask = all << UInt64(at & 63)
      let i = word(of: at)
      body(words[i] & mask)
      words[i] &= ~mask
      at = next
    }
  }
}
