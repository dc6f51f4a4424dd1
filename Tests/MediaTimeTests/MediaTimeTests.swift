// SPDX-License-Identifier: Apache-2.0

import Foundation
import MediaTime
import Testing

private let rounded: MediaTime.Flags = [.valid, .hasBeenRounded]

private func time(_ value: Int64, _ timescale: Int32, epoch: Int64 = 0) -> MediaTime {
  MediaTime(value: value, timescale: timescale, epoch: epoch)
}

@Suite struct MediaTimeTests {
  @Test func `a time takes 24 bytes, and zeroed memory is the invalid time`() {
    #expect(MemoryLayout<MediaTime>.size == 24)
    #expect(MediaTime().fields == .init(0, 0, []))
    #expect(!MediaTime().isValid)
  }

  @Test func `the flags, rounding methods and limits have the C interface's values`() {
    let flags: [MediaTime.Flags] = [
      .valid, .hasBeenRounded, .positiveInfinity, .negativeInfinity, .indefinite, .impliedValue,
    ]
    #expect(flags.map(\.rawValue) == [1, 2, 4, 8, 16, 28])
    #expect(MediaTime.RoundingMethod.allCases.map(\.rawValue) == [1, 2, 3, 4, 5, 6])
    #expect(MediaTime.RoundingMethod.default == .roundHalfAwayFromZero)
    #expect(MediaTime.maximumTimescale == 0x7fff_ffff)
  }

  @Test func `a time is made with epoch 0 or the given one`() {
    #expect(MediaTime(value: 3, timescale: 4).fields == .init(3, 4))
    #expect(MediaTime(value: 3, timescale: 4, epoch: 5).fields == .init(3, 4, epoch: 5))
  }

  @Test(arguments: [0, -1, Int32.min])
  func `a timescale that is not positive makes an invalid time`(timescale: Int32) {
    #expect(MediaTime(value: 1, timescale: timescale).fields == MediaTime.invalid.fields)
    let forged = MediaTime(value: 1, timescale: timescale, flags: .valid, epoch: 0)
    #expect(!forged.isValid)
    #expect(!forged.isNumeric)
    #expect(forged == .invalid)
    #expect((forged + time(1, 1)).fields == MediaTime.invalid.fields)
  }

  @Test func `each kind of time answers to its own predicate only`() {
    func answers(_ time: MediaTime) -> [Bool] {
      [
        time.isValid, time.isNumeric, time.isIndefinite, time.isPositiveInfinity,
        time.isNegativeInfinity, time.hasBeenRounded,
      ]
    }
    #expect(answers(.zero) == [true, true, false, false, false, false])
    #expect(answers(.invalid) == [false, false, false, false, false, false])
    #expect(answers(.indefinite) == [true, false, true, false, false, false])
    #expect(answers(.positiveInfinity) == [true, false, false, true, false, false])
    #expect(answers(.negativeInfinity) == [true, false, false, false, true, false])
    let third = MediaTime(value: 1, timescale: 3, flags: rounded, epoch: 0)
    #expect(answers(third) == [true, true, false, false, false, true])
  }

  @Test func `predicates need the valid bit, and a rounded one needs a number`() {
    func flagged(_ flags: MediaTime.Flags) -> MediaTime {
      MediaTime(value: 1, timescale: 1, flags: flags, epoch: 0)
    }
    #expect(!flagged(.positiveInfinity).isPositiveInfinity)
    #expect(!flagged(.negativeInfinity).isNegativeInfinity)
    #expect(!flagged(.indefinite).isIndefinite)
    #expect(!flagged(.hasBeenRounded).hasBeenRounded)
    #expect(!flagged([.valid, .hasBeenRounded, .positiveInfinity]).hasBeenRounded)
    #expect(!flagged([.valid, .hasBeenRounded, .indefinite]).hasBeenRounded)
  }

  @Test func `seconds are a quotient, infinite or not a number, and ignore the epoch`() {
    #expect(time(1, 3).seconds == 1.0 / 3)
    #expect(time(-48_000, 32_000, epoch: 7).seconds == -1.5)
    #expect(MediaTime.positiveInfinity.seconds == .infinity)
    #expect(MediaTime.negativeInfinity.seconds == -.infinity)
    #expect(MediaTime.indefinite.seconds.isNaN)
    #expect(MediaTime.invalid.seconds.isNaN)
  }

  @Test func `seconds are cut off toward zero, and marked when they do not convert back`() {
    func made(_ seconds: Double, _ scale: Int32) -> MediaTime.Fields {
      MediaTime(seconds: seconds, preferredTimescale: scale).fields
    }
    #expect(made(0.5, 1) == .init(0, 1, rounded))
    #expect(made(-0.5, 1) == .init(0, 1, rounded))
    #expect(made(1.9, 1) == .init(1, 1, rounded))
    #expect(made(-1.9, 1) == .init(-1, 1, rounded))
    #expect(made(0.5, 2) == .init(1, 2))
    #expect(made(2.5, 600) == .init(1500, 600))
    #expect(made(0, 600) == .init(0, 600))
    // 0.3 in binary is less than 3/10, but its product with 10 is 3; that of 0.29 with 100 is
    // below 29.
    #expect(made(0.3, 10) == .init(3, 10))
    #expect(made(0.29, 100) == .init(28, 100, rounded))
  }

  @Test func `seconds that are not finite, and timescales that are not positive`() {
    #expect(MediaTime(seconds: .nan, preferredTimescale: 600).fields == .init(0, 600, rounded))
    #expect(MediaTime(seconds: .infinity, preferredTimescale: 600).isPositiveInfinity)
    #expect(MediaTime(seconds: -.infinity, preferredTimescale: 600).isNegativeInfinity)
    for scale in [0, -1, Int32.min] {
      #expect(!MediaTime(seconds: 1, preferredTimescale: scale).isValid)
      #expect(!MediaTime(seconds: .nan, preferredTimescale: scale).isValid)
    }
  }

  @Test func `seconds that overflow halve the timescale, and at 1 become infinite`() {
    // 2^62 seconds fit at a scale of 1 only; 2^60 at 600 -> 300 -> ... -> 9 -> 4.
    #expect(MediaTime(seconds: 0x1p62, preferredTimescale: 600).fields == .init(1 << 62, 1))
    #expect(MediaTime(seconds: 0x1p60, preferredTimescale: 600).fields == .init(1 << 62, 4))
    #expect(MediaTime(seconds: -0x1p63, preferredTimescale: 600).fields == .init(.min, 1))
    #expect(MediaTime(seconds: 0x1p63, preferredTimescale: 600).isPositiveInfinity)
    #expect(MediaTime(seconds: -0x1p64, preferredTimescale: 600).isNegativeInfinity)
    let largest = Double.greatestFiniteMagnitude
    #expect(MediaTime(seconds: largest, preferredTimescale: .max).isPositiveInfinity)
  }

  @Test func `min and max follow the total order`() {
    let ascending: [MediaTime] = [
      .negativeInfinity, time(.max, 1, epoch: -1), time(.min, 1), time(-1, 3), .zero, time(1, 3),
      time(.max, 1), time(.min, 1, epoch: 2), .indefinite, .positiveInfinity, .invalid,
    ]
    for (i, a) in ascending.enumerated() {
      for (j, b) in ascending.enumerated() {
        #expect(a.compare(b) == (i < j ? -1 : i == j ? 0 : 1), "\(a) and \(b)")
        #expect(min(a, b) == ascending[min(i, j)])
        #expect(max(a, b) == ascending[max(i, j)])
      }
    }
  }

  @Test func `comparison is exact where doubles are not`() {
    #expect(time(.max, 3) > time(.max - 1, 3))
    #expect(time(.max, 2).seconds == time(.max - 1, 2).seconds)
    #expect(time(.max, 2) > time(.max - 1, 2))
    #expect(time(9_007_199_254_740_993, 3) > time(9_007_199_254_740_992, 3))
    #expect(time(.max, .max) > time(.max - 1, .max))
  }

  @Test func `times of special kinds are equal whatever their other fields`() {
    let later = MediaTime(
      value: 5, timescale: 7, flags: [.valid, .positiveInfinity], epoch: 9)
    #expect(later == .positiveInfinity)
    #expect(later.hashValue == MediaTime.positiveInfinity.hashValue)
    let none = MediaTime(value: 5, timescale: 7, flags: .hasBeenRounded, epoch: 9)
    #expect(none == .invalid)
    #expect(none.hashValue == MediaTime.invalid.hashValue)
  }

  @Test func `equality ignores the rounded mark and the timescale, but not the epoch`() {
    #expect(time(1, 2) == time(24_000, 48_000))
    #expect(time(1, 2).hashValue == time(24_000, 48_000).hashValue)
    #expect(time(0, 2).hashValue == time(0, 48_000).hashValue)
    #expect(time(1, 2) == MediaTime(value: 1, timescale: 2, flags: rounded, epoch: 0))
    #expect(time(1, 2) != time(1, 2, epoch: 1))
    #expect(Set([time(1, 2), time(2, 4), time(3, 6), time(1, 2, epoch: 1)]).count == 2)
  }

  @Test func `descriptions read as CMTimeShow prints them`() {
    #expect("\(time(12_345, 44_100))" == "{12345/44100 = 0.280}")
    #expect("\(time(-1, 2))" == "{-1/2 = -0.500}")
    #expect("\(time(-61, 1, epoch: 3))" == "{-61/1 = -61.000, epoch = 3}")
    #expect("\(time(2, 3).convertScale(10))" == "{7/10 = 0.700, rounded}")
    #expect("\(time(.min, 1))" == "{-9223372036854775808/1 = -9223372036854775808.000}")
    #expect("\(MediaTime.invalid)" == "{INVALID}")
    #expect("\(MediaTime.indefinite)" == "{INDEFINITE}")
    #expect("\(MediaTime.positiveInfinity)" == "{+INFINITY}")
    #expect("\(MediaTime.negativeInfinity)" == "{-INFINITY}")
  }

  @Test func `coding keeps all four fields under Apple's keys`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let json = try encoder.encode(
      MediaTime(value: .min, timescale: 44_100, flags: rounded, epoch: 2))
    #expect(
      String(decoding: json, as: UTF8.self)
        == #"{"epoch":2,"flags":3,"timescale":44100,"value":-9223372036854775808}"#)
    for time: MediaTime in [
      .zero, .invalid, .indefinite, .positiveInfinity, .negativeInfinity,
      MediaTime(value: .min, timescale: .max, flags: rounded, epoch: -1),
    ] {
      let decoded = try JSONDecoder().decode(MediaTime.self, from: encoder.encode(time))
      #expect(decoded.fields == time.fields)
    }
  }

  @Test func `a coded time with a bad timescale is invalid, and one that lacks a field an error`()
    throws
  {
    let bad = #"{"epoch":0,"flags":1,"timescale":0,"value":1}"#
    #expect(try !JSONDecoder().decode(MediaTime.self, from: Data(bad.utf8)).isValid)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(MediaTime.self, from: Data(#"{"value":1}"#.utf8))
    }
  }
}
