// SPDX-License-Identifier: Apache-2.0

extension MovieFragments {
  /// An event message of MP4: what it is of, when, and what it says.
  struct Event {
    /// The time of an event, in 1/90,000 s.
    enum Time: Equatable {
      /// By the stream's own clock.
      case ofStream(Int64)
      /// Behind the start of the segment.
      case behindStart(Int64)
    }

    let scheme: String
    let time: Time
    let message: [UInt8]

    /// nil for what is cut short, or of another version.
    init?(_ box: ArraySlice<UInt8>) {
      var rest = box.dropFirst(4)
      func text() -> String? {
        guard let end = rest.firstIndex(of: 0) else { return nil }
        defer { rest = rest[(end + 1)...] }
        return String(decoding: rest[..<end], as: UTF8.self)
      }
      switch box.first {
      case 0:
        guard let scheme = text(), text() != nil, rest.count >= 16,
          let scale = rest.big(at: 0, 4), let delta = rest.big(at: 4, 4),
          let ticks = Self.ticks(delta, of: Int64(scale))
        else { return nil }
        (self.scheme, time, message) = (scheme, .behindStart(ticks), Array(rest.dropFirst(16)))
      case 1:
        guard rest.count >= 20, let scale = rest.big(at: 0, 4), let when = rest.big(at: 4, 8),
          let ticks = Self.ticks(when, of: Int64(scale))
        else { return nil }
        rest = rest.dropFirst(20)
        guard let scheme = text(), text() != nil else { return nil }
        (self.scheme, time, message) = (scheme, .ofStream(ticks), Array(rest))
      default: return nil
      }
    }

    /// `value` of `scale` a second, in 1/90,000 s; nil for what no clock says, and so that a sum of two is a number.
    static func ticks(_ value: UInt64, of scale: Int64) -> Int64? {
      guard scale > 0 else { return nil }
      let ticks = Int128(value) * Int128(TimedTags.perSecond) / Int128(scale)
      return ticks < 1 << 60 ? Int64(ticks) : nil
    }
  }
}
