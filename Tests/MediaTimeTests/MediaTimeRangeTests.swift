// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaTime
import Testing

private func time(_ value: Int64, _ timescale: Int32 = 1, epoch: Int64 = 0) -> MediaTime {
  MediaTime(value: value, timescale: timescale, epoch: epoch)
}

/// From `start` up to `end`, in seconds.
private func range(_ start: Int64, _ end: Int64, epoch: Int64 = 0) -> MediaTimeRange {
  MediaTimeRange(start: time(start, epoch: epoch), duration: time(end - start))
}

@Suite struct MediaTimeRangeTests {
  private let endless = MediaTimeRange(start: time(2), duration: .positiveInfinity)
  private let unknown = MediaTimeRange(start: time(2), duration: .indefinite)
  private let empty = range(5, 5)

  @Test func `a range contains its start and not its end`() {
    #expect(range(2, 5).contains(time(2)))
    #expect(range(2, 5).contains(time(4_999, 1000)))
    #expect(!range(2, 5).contains(time(5)))
    #expect(!range(2, 5).contains(time(1_999, 1000)))
    #expect(range(2, 5).end == time(5))
    #expect(endless.contains(time(.max)))
    #expect(endless.end.isPositiveInfinity)
    #expect(!endless.contains(endless.end))
    #expect(!unknown.contains(time(3)))
    #expect(!empty.contains(time(5)))
    #expect(!MediaTimeRange.invalid.contains(time(0)))
    for other: MediaTime in [.invalid, .indefinite, .positiveInfinity, .negativeInfinity] {
      #expect(!endless.contains(other))
    }
  }

  @Test func `times and ranges of another epoch are not contained`() {
    #expect(!range(2, 5).contains(time(3, epoch: 1)))
    #expect(range(2, 5, epoch: 1).contains(time(3, epoch: 1)))
    #expect(!range(2, 5).contains(range(3, 4, epoch: 1)))
  }

  @Test func `a range contains itself and its parts, an empty one never`() {
    #expect(range(2, 5).contains(range(2, 5)))
    #expect(range(2, 5).contains(range(3, 4)))
    #expect(!range(2, 5).contains(range(3, 6)))
    #expect(!range(2, 5).contains(range(1, 4)))
    #expect(!range(2, 5).contains(range(3, 3)))
    #expect(!empty.contains(empty))
    #expect(endless.contains(endless))
    #expect(endless.contains(range(2, 5)))
    #expect(!range(2, 5).contains(endless))
    #expect(!unknown.contains(range(2, 5)))
    #expect(!range(2, 5).contains(MediaTimeRange.invalid))
  }

  @Test func `the duration must be of epoch 0 and not negative, and both parts valid`() {
    #expect(range(2, 5).isValid)
    #expect(range(2, 5, epoch: 3).isValid)
    #expect(endless.isValid)
    #expect(MediaTimeRange.zero.isValid)
    #expect(!range(5, 2).isValid)
    #expect(!MediaTimeRange(start: .zero, duration: .negativeInfinity).isValid)
    #expect(!MediaTimeRange(start: .zero, duration: .invalid).isValid)
    #expect(!MediaTimeRange(start: .invalid, duration: .zero).isValid)
    let late = MediaTimeRange(start: .zero, duration: time(1, epoch: 1))
    #expect(late == .invalid)
    #expect(!late.start.isValid)
    var forged = range(2, 5)
    forged.duration.epoch = 1
    #expect(!forged.isValid)
  }

  @Test func `empty, indefinite and invalid are told apart`() {
    #expect(empty.isEmpty && empty.isValid && !empty.isIndefinite)
    #expect(MediaTimeRange(start: .zero, duration: time(0, 48_000)).isEmpty)
    #expect(unknown.isIndefinite && unknown.isValid && !unknown.isEmpty)
    #expect(MediaTimeRange(start: .indefinite, duration: time(1)).isIndefinite)
    #expect(!MediaTimeRange.invalid.isEmpty)
    #expect(!MediaTimeRange.invalid.isIndefinite)
    #expect(!MediaTimeRange(start: .invalid, duration: .indefinite).isIndefinite)
    #expect(!MediaTimeRange(start: .invalid, duration: .zero).isEmpty)
  }

  @Test func `a range between two times is invalid if reversed or across epochs`() {
    #expect(MediaTimeRange(start: time(2), end: time(5)) == range(2, 5))
    #expect(MediaTimeRange(start: time(5), end: time(5)) == empty)
    #expect(MediaTimeRange(start: time(2), end: .positiveInfinity) == endless)
    #expect(
      MediaTimeRange(start: time(2, epoch: 1), end: time(5, epoch: 1)) == range(2, 5, epoch: 1))
    #expect(MediaTimeRange(start: time(5), end: time(2)) == .invalid)
    #expect(MediaTimeRange(start: time(2), end: time(5, epoch: 1)) == .invalid)
    #expect(MediaTimeRange(start: time(2), end: .negativeInfinity) == .invalid)
    #expect(MediaTimeRange(start: .invalid, end: time(2)) == .invalid)
    #expect(MediaTimeRange(start: time(2), end: .invalid) == .invalid)
  }

  @Test func `a union is the smallest cover, an intersection the largest part in common`() {
    #expect(range(1, 4).union(range(3, 6)) == range(1, 6))
    #expect(range(1, 2).union(range(5, 6)) == range(1, 6))
    #expect(range(1, 6).union(range(2, 3)) == range(1, 6))
    #expect(range(1, 4).union(endless) == MediaTimeRange(start: time(1), end: .positiveInfinity))
    #expect(range(1, 4).intersection(range(3, 6)) == range(3, 4))
    #expect(range(1, 6).intersection(range(2, 3)) == range(2, 3))
    #expect(range(1, 4).intersection(endless) == range(2, 4))
  }

  @Test func `ranges with nothing in common intersect in the zero range`() {
    #expect(range(1, 2).intersection(range(5, 6)) == .zero)
    #expect(range(1, 2).intersection(range(2, 3)) == .zero)
    #expect(range(1, 9).intersection(empty) == .zero)
  }

  @Test func `union and intersection need known ranges whose starts share an epoch`() {
    for other in [unknown, .invalid, range(2, 5, epoch: 1)] {
      #expect(range(2, 5).union(other) == .invalid)
      #expect(other.union(range(2, 5)) == .invalid)
      #expect(range(2, 5).intersection(other) == .invalid)
      #expect(other.intersection(range(2, 5)) == .invalid)
    }
    let later = range(2, 5, epoch: 1)
    #expect(later.union(range(4, 6, epoch: 1)) == range(2, 6, epoch: 1))
    #expect(later.intersection(range(4, 6, epoch: 1)) == range(4, 5, epoch: 1))
  }

  @Test func `a clamped time is inside unchanged, else the start or the end`() {
    #expect(range(2, 5).clamp(time(9, 3)).fields == .init(9, 3))
    #expect(range(2, 5).clamp(time(1)) == time(2))
    #expect(range(2, 5).clamp(time(7)) == time(5))
    #expect(range(2, 5).clamp(time(5)) == time(5))
    #expect(range(2, 5).clamp(.positiveInfinity) == time(5))
    #expect(range(2, 5).clamp(.negativeInfinity) == time(2))
    #expect(endless.clamp(time(.max)) == time(.max))
    #expect(!range(2, 5).clamp(.invalid).isValid)
    #expect(!empty.clamp(time(5)).isValid)
    #expect(!unknown.clamp(time(5)).isValid)
    #expect(!MediaTimeRange.invalid.clamp(time(5)).isValid)
  }

  @Test func `folding repeats the range for ever, both ways`() {
    #expect(range(2, 5).fold(time(2)) == time(2))
    #expect(range(2, 5).fold(time(4)) == time(4))
    #expect(range(2, 5).fold(time(5)) == time(2))
    #expect(range(2, 5).fold(time(9)) == time(3))
    #expect(range(2, 5).fold(time(1)) == time(4))
    #expect(range(2, 5).fold(time(-1)) == time(2))
    #expect(range(2, 5, epoch: 1).fold(time(9, epoch: 1)) == time(3, epoch: 1))
    let odd = MediaTimeRange(start: time(1, 3), duration: time(2, 5))
    #expect(odd.fold(.zero).fields == .init(2, 5))
    #expect(odd.fold(time(-7, 11)).fields == .init(31, 55))
  }

  @Test func `folding needs numbers of one epoch and a range of some length`() {
    for other: MediaTime in [.invalid, .indefinite, .positiveInfinity, .negativeInfinity] {
      #expect(!range(2, 5).fold(other).isValid)
    }
    #expect(!range(2, 5).fold(time(3, epoch: 1)).isValid)
    for other in [empty, endless, unknown, .invalid, range(5, 2)] {
      #expect(!other.fold(time(3)).isValid)
    }
  }

  @Test func `folding a time that fits no timescale rounds, and never to the end`() {
    // 2^31 - 1 and 2^31 - 19 are primes: the result needs their product.
    let loop = MediaTimeRange(start: .zero, duration: time(2_147_483_646, 2_147_483_647))
    let folded = loop.fold(time(-1, 2_147_483_629))
    #expect(folded.hasBeenRounded)
    #expect(loop.contains(folded))
  }

  @Test func `ranges are equal, hash and code by start and duration`() throws {
    let same = MediaTimeRange(start: time(4, 2), duration: time(9, 3))
    #expect(same == range(2, 5))
    #expect(same.hashValue == range(2, 5).hashValue)
    #expect(range(2, 5) != range(2, 6))
    #expect(range(2, 5) != range(1, 4))
    let json = try JSONEncoder().encode(range(2, 5))
    #expect(try JSONDecoder().decode(MediaTimeRange.self, from: json) == range(2, 5))
    let object = try #require(JSONSerialization.jsonObject(with: json) as? [String: Any])
    #expect(object.keys.sorted() == ["duration", "start"])
  }
}
