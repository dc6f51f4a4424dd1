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

@Suite struct MediaTimeMappingTests {
  private let twice = MediaTimeMapping(source: range(10, 20), target: range(100, 105))

  @Test func `times map linearly, the ends to the ends, and beyond them`() {
    #expect(twice.mapTime(time(10)) == time(100))
    #expect(twice.mapTime(time(20)) == time(105))
    #expect(twice.mapTime(time(15)) == time(205, 2))
    #expect(twice.mapTime(time(30)) == time(110))
    #expect(twice.mapTime(time(0)) == time(95))
    #expect(twice.mapTime(time(441_001, 44_100)).fields == .init(8_820_001, 88_200))
    #expect(twice.mapTime(.positiveInfinity).isPositiveInfinity)
    #expect(!twice.mapTime(.invalid).isValid)
  }

  @Test func `the end maps to the end even where the difference of the two is rounded`() {
    let source = MediaTimeRange(
      start: time(1, 999_999_937), duration: time(1, 1_000_000_007))
    let mapping = MediaTimeMapping(source: source, target: range(0, 1))
    #expect(source.end.hasBeenRounded)
    #expect(mapping.mapTime(source.end).fields == .init(1, 1))
  }

  @Test func `durations scale by the ratio, at their own timescale if that is exact`() {
    #expect(twice.mapDuration(time(10)).fields == .init(5, 1))
    #expect(twice.mapDuration(time(-10)).fields == .init(-5, 1))
    #expect(twice.mapDuration(time(48_000, 48_000)).fields == .init(24_000, 48_000))
    #expect(twice.mapDuration(time(1, 48_000)).fields == .init(1, 96_000))
    #expect(twice.mapDuration(.zero) == .zero)
    let odd = MediaTimeMapping(
      source: MediaTimeRange(start: time(1, 7), duration: time(2, 5)),
      target: MediaTimeRange(start: time(3, 13), duration: time(7, 11)))
    #expect(odd.mapDuration(time(1, 3)).fields == .init(35, 66))
    #expect(
      odd.mapTime(time(12, 7)) == time(3, 13)
        + time(5 * 11, 7 * 2).multiplied(
          by: 7, dividedBy: 11))
  }

  @Test func `empty ranges and other epochs map to invalid`() {
    for mapping in [
      MediaTimeMapping(source: range(10, 10), target: range(100, 105)),
      MediaTimeMapping(source: range(10, 20), target: range(100, 100)),
      MediaTimeMapping(source: range(20, 10), target: range(100, 105)),
      MediaTimeMapping(emptyEditAt: range(100, 105)), .invalid,
    ] {
      #expect(!mapping.mapTime(time(10)).isValid)
      #expect(!mapping.mapDuration(time(10)).isValid)
    }
    #expect(!twice.mapTime(time(15, epoch: 1)).isValid)
    #expect(!twice.mapDuration(time(15, epoch: 1)).isValid)
    let later = MediaTimeMapping(source: range(10, 20, epoch: 1), target: range(0, 5, epoch: 2))
    #expect(later.mapTime(time(15, epoch: 1)) == time(5, 2, epoch: 2))
    #expect(!later.mapTime(time(15)).isValid)
  }

  @Test func `between infinite ranges times are shifted only`() {
    let shift = MediaTimeMapping(
      source: MediaTimeRange(start: time(1), duration: .positiveInfinity),
      target: MediaTimeRange(start: time(10), duration: .positiveInfinity))
    #expect(shift.mapTime(time(5)) == time(14))
    #expect(shift.mapTime(time(1)) == time(10))
    #expect(shift.mapDuration(time(3, 2)).fields == .init(3, 2))
    let mixed = MediaTimeMapping(source: shift.source, target: range(0, 5))
    #expect(!mixed.mapTime(time(5)).isValid)
    #expect(!mixed.mapDuration(time(5)).isValid)
  }

  @Test func `a product of more than 126 bits is rounded to a double's precision`() {
    let mapping = MediaTimeMapping(
      source: MediaTimeRange(start: .zero, duration: time(.max - 24, 2_147_483_647)),
      target: MediaTimeRange(start: .zero, duration: time(.max - 164, 2_147_483_629)))
    let mapped = mapping.mapDuration(time(1 << 61 + 1, 2_147_483_587))
    #expect(mapped.hasBeenRounded)
    let wanted = 0x1p61 / 2_147_483_587 * (2_147_483_647 / 2_147_483_629)
    #expect(abs(mapped.seconds / wanted - 1) < 0x1p-50)
  }

  @Test func `the rate is the source's duration over the target's`() {
    #expect(twice.rate == 2)
    #expect(MediaTimeMapping(source: range(0, 1), target: range(0, 4)).rate == 0.25)
    #expect(MediaTimeMapping(emptyEditAt: range(0, 4)).rate == nil)
    #expect(MediaTimeMapping(source: range(0, 0), target: range(0, 4)).rate == nil)
    #expect(MediaTimeMapping(source: range(0, 4), target: range(0, 0)).rate == nil)
    let endless = MediaTimeRange(start: .zero, duration: .positiveInfinity)
    #expect(MediaTimeMapping(source: endless, target: endless).rate == nil)
  }

  @Test func `an edit is empty without a source, and valid by its target`() {
    #expect(twice.isValid && !twice.isEmpty)
    let silence = MediaTimeMapping(emptyEditAt: range(0, 4))
    #expect(silence.isValid && silence.isEmpty)
    let unknown = MediaTimeRange(start: .indefinite, duration: time(1))
    #expect(MediaTimeMapping(source: unknown, target: range(0, 4)).isEmpty)
    #expect(!MediaTimeMapping.invalid.isValid)
    #expect(!MediaTimeMapping.invalid.isEmpty)
    #expect(!MediaTimeMapping(source: range(0, 4), target: .invalid).isValid)
  }

  @Test func `mappings code under Apple's keys`() throws {
    let json = try JSONEncoder().encode(twice)
    #expect(try JSONDecoder().decode(MediaTimeMapping.self, from: json) == twice)
    let object = try #require(JSONSerialization.jsonObject(with: json) as? [String: Any])
    #expect(object.keys.sorted() == ["source", "target"])
  }
}
