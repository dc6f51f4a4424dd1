// SPDX-License-Identifier: Apache-2.0

import MediaTime
import TestSeeds
import Testing

/// Algebraic laws over 100,000 seeded cases each, and results against exact fractions of Int128.
@Suite struct MediaTimeLawTests {
  @Test func `addition commutes, special times, epochs and rounding included`() {
    let failed = forSeededCases { random in
      let (a, b) = (random.time(), random.time())
      return (a + b).fields == (b + a).fields
    }
    #expect(failed == nil, "seed \(failed ?? 0)")
  }

  @Test func `over common rates addition is a group and never rounds`() {
    let failed = forSeededCases { random in
      let (a, b, c) = (random.commonTime(), random.commonTime(), random.commonTime())
      let sums = [(a + b) + c, a + (b + c), a - b, a + .zero]
      return sums.allSatisfy { $0.isNumeric && !$0.hasBeenRounded }
        && sums[0] == sums[1] && (a - b) + b == a && a + .zero == a && a - a == .zero
        && a + b == a - (.zero - b) && (a + b) * 3 == a * 3 + b * 3 && a * 2 == a + a
    }
    #expect(failed == nil, "seed \(failed ?? 0)")
  }

  @Test func `sums are the exact sum, or it rounded at the timescale of the rule`() {
    let failed = forSeededCases { random in
      let a = MediaTime(value: random.value(), timescale: random.timescale())
      let b = MediaTime(value: random.value(), timescale: random.timescale())
      let sum = a + b
      let (scaleA, scaleB) = (Int128(a.timescale), Int128(b.timescale))
      let exact = Int128(a.value) * scaleB + Int128(b.value) * scaleA
      return isNearest(sum, to: exact, over: scaleA * scaleB, rule: { multiple(scaleA, scaleB) })
    }
    #expect(failed == nil, "seed \(failed ?? 0)")
  }

  @Test func `whole multiples are exact, or rounded at a halved timescale`() {
    let failed = forSeededCases { random in
      let a = MediaTime(value: random.value(), timescale: random.timescale())
      let multiplier = Int32(truncatingIfNeeded: random.value())
      let exact = Int128(a.value) * Int128(multiplier)
      let scale = Int128(a.timescale)
      return isNearest(a * multiplier, to: exact, over: scale, rule: { a.timescale })
    }
    #expect(failed == nil, "seed \(failed ?? 0)")
  }

  @Test func `ratios are exact if marked so, and else nearer than at any other timescale`() {
    let failed = forSeededCases { random in
      let a = MediaTime(value: random.value() >> 20, timescale: random.timescale())
      let multiplier = Int32(truncatingIfNeeded: random.value())
      let divisor = max(1, Int32(truncatingIfNeeded: random.value()).magnitude >> 1)
      let result = a.multiplied(by: multiplier, dividedBy: Int32(divisor))
      let exact = Int128(a.value) * Int128(multiplier)
      let scale = Int128(a.timescale) * Int128(divisor)
      guard result.isNumeric else {
        return exact.magnitude / scale.magnitude >= UInt128(Int64.max)
      }
      let off = error(of: result, from: exact, over: scale)
      if !result.hasBeenRounded { return off == 0 }
      // No rounding to the units of another timescale is nearer: |off|/scale1 <= |other|/scale2.
      return off != 0
        && [Int32.max, random.timescale(), random.timescale()].allSatisfy { timescale in
          let (other, isExact) = roundHalfAway(exact * Int128(timescale), by: scale)
          guard let value = Int64(exactly: other) else { return true }
          let rival = MediaTime(value: value, timescale: timescale)
          return !isExact
            && off.multipliedFullWidth(by: UInt128(timescale))
              <= error(of: rival, from: exact, over: scale)
              .multipliedFullWidth(by: UInt128(result.timescale))
        }
    }
    #expect(failed == nil, "seed \(failed ?? 0)")
  }

  @Test func `float multiples are exact at the doubled timescale, or nearest at 10^9`() {
    let failed = forSeededCases { random in
      let a = MediaTime(value: random.value() >> 24, timescale: random.timescale())
      let significand = random.value() >> 42
      let exponent = Int(random.next() % 40) - 30
      let multiplier =
        Double(significand) * (exponent < 0 ? 1 / Double(1 << -exponent) : Double(1 << exponent))
      let result = a.multiplied(byFloat64: multiplier)
      let exact = Int128(a.value) * Int128(significand) << max(0, exponent)
      let scale = Int128(a.timescale) << max(0, -exponent)
      var doubled = a.timescale
      while doubled < 65_536 { doubled *= 2 }
      let product = exact * Int128(doubled)
      let isExact = product % scale == 0 && Int64(exactly: product / scale) != nil
      return (!result.hasBeenRounded && isNearest(result, to: exact, over: scale) { doubled })
        || (!isExact && isNearest(result, to: exact, over: scale) { 1_000_000_000 })
    }
    #expect(failed == nil, "seed \(failed ?? 0)")
  }

  @Test func `comparison is a total order and agrees with exact fractions`() {
    let failed = forSeededCases { random in
      let (a, b, c) = (random.time(), random.time(), random.time())
      let sorted = [a, b, c].sorted()
      guard a.compare(b) == -b.compare(a), a.compare(a) == 0,
        sorted[0].compare(sorted[1]) <= 0, sorted[1].compare(sorted[2]) <= 0,
        sorted[0].compare(sorted[2]) <= 0, (a < b) == (b > a), (a == b) == (a.compare(b) == 0)
      else { return false }
      guard a.isNumeric, b.isNumeric, a.epoch == b.epoch else { return true }
      let left = Int128(a.value) * Int128(b.timescale)
      let right = Int128(b.value) * Int128(a.timescale)
      return a.compare(b) == (left < right ? -1 : left == right ? 0 : 1)
    }
    #expect(failed == nil, "seed \(failed ?? 0)")
  }

  @Test func `equal times hash alike at whatever timescale`() {
    let failed = forSeededCases { random in
      let a = random.time()
      let factor = Int32(random.next() % 1000) + 1
      let scale = Int64(a.timescale) * Int64(factor)
      guard a.isNumeric, scale <= Int64(Int32.max) else {
        return a.hashValue
          == MediaTime(
            value: a.value, timescale: a.timescale, flags: a.flags, epoch: a.epoch
          ).hashValue
      }
      let b = a.convertScale(Int32(scale))
      let c = MediaTime(value: a.value &+ 1, timescale: a.timescale, epoch: a.epoch)
      return !b.isNumeric || (a == b && a.hashValue == b.hashValue && b != c)
    }
    #expect(failed == nil, "seed \(failed ?? 0)")
  }

  @Test(arguments: MediaTime.RoundingMethod.allCases)
  func `conversion rounds as exact division does`(method: MediaTime.RoundingMethod) {
    let failed = forSeededCases { random in
      let time = MediaTime(value: random.value(), timescale: random.timescale())
      let target = random.timescale()
      let converted = time.convertScale(target, method: method)
      let scaled = Int128(time.value) * Int128(target)
      let wanted = divide(scaled, by: Int128(time.timescale), method, time.timescale, target)
      guard let value = Int64(exactly: wanted) else {
        return scaled < 0 ? converted.isNegativeInfinity : converted.isPositiveInfinity
      }
      let isExact = wanted * Int128(time.timescale) == scaled
      return converted.fields
        == .init(value, target, isExact ? .valid : [.valid, .hasBeenRounded])
    }
    #expect(failed == nil, "seed \(failed ?? 0)")
  }

  @Test func `conversion to a multiple and back gives the same time`() {
    let failed = forSeededCases { random in
      let time = MediaTime(value: random.value() >> 11, timescale: random.timescale() >> 11 | 1)
      let method = MediaTime.RoundingMethod.allCases[Int(random.next() % 6)]
      let factor = Int32(random.next() % 1000) + 1
      let there = time.convertScale(time.timescale * factor, method: method)
      return there == time
        && there.convertScale(time.timescale, method: method).fields
          == time.fields
    }
    #expect(failed == nil, "seed \(failed ?? 0)")
  }

  @Test func `seconds convert to less than a unit off, toward zero, and say whether they do`() {
    let failed = forSeededCases { random in
      let seconds = Double(random.value() >> 11) / Double(random.timescale())
      let scale = random.timescale()
      let time = MediaTime(seconds: seconds, preferredTimescale: scale)
      let product = seconds * Double(scale)
      guard product.magnitude < 0x1p63 else { return time.timescale < scale || !time.isNumeric }
      return time.timescale == scale && Double(time.value).magnitude <= product.magnitude
        && (product - Double(time.value)).magnitude < 1
        && time.hasBeenRounded == (time.seconds != seconds)
    }
    #expect(failed == nil, "seed \(failed ?? 0)")
  }

  @Test func `ranges intersect within and unite around both`() {
    let failed = forSeededCases { random in
      let times = (0..<4).map { _ in random.commonTime() }
      let a = MediaTimeRange(start: min(times[0], times[1]), end: max(times[0], times[1]))
      let b = MediaTimeRange(start: min(times[2], times[3]), end: max(times[2], times[3]))
      guard !a.isEmpty, !b.isEmpty else { return true }
      let (both, cover) = (a.intersection(b), a.union(b))
      let time = random.commonTime()
      return both == b.intersection(a) && cover == b.union(a) && cover.contains(a)
        && cover.contains(b) && (both == .zero || (a.contains(both) && b.contains(both)))
        && (a.contains(time) && b.contains(time)) == (both.contains(time) && both != .zero)
        && !a.contains(a.end) && a.contains(a.start)
        && a.contains(time) == (a.clamp(time) == time && time != a.end)
    }
    #expect(failed == nil, "seed \(failed ?? 0)")
  }

  @Test func `folding lands in the range, a whole number of turns away`() {
    let failed = forSeededCases { random in
      let loop = MediaTimeRange(
        start: random.commonTime(), duration: random.commonTime().absoluteValue)
      let time = random.commonTime()
      guard !loop.isEmpty else { return !loop.fold(time).isValid }
      let folded = loop.fold(time)
      let turns = RationalTime(time) - RationalTime(folded)
      let length = RationalTime(loop.duration)
      return loop.contains(folded) && !folded.hasBeenRounded
        && (turns.numerator * Int128(length.denominator))
          % (length.numerator * Int128(turns.denominator)) == 0
    }
    #expect(failed == nil, "seed \(failed ?? 0)")
  }

  @Test func `mapping there and back gives the same time where nothing is rounded`() {
    let failed = forSeededCases { random in
      func range() -> MediaTimeRange {
        MediaTimeRange(
          start: MediaTime(value: random.value() >> 40, timescale: 48_000),
          duration: MediaTime(value: Int64(random.next() >> 50) + 1, timescale: 44_100))
      }
      let (source, target) = (range(), range())
      let time = MediaTime(value: random.value() >> 40, timescale: 48_000)
      let mapping = MediaTimeMapping(source: source, target: target)
      let back = MediaTimeMapping(source: target, target: source)
      let mapped = mapping.mapTime(time)
      guard mapping.mapTime(source.start) == target.start,
        mapping.mapTime(source.end) == target.end
      else { return false }
      let returned = back.mapTime(mapped)
      return mapped.hasBeenRounded || returned.hasBeenRounded || returned == time
    }
    #expect(failed == nil, "seed \(failed ?? 0)")
  }
}

/// The least common multiple, or 10^9 if it is larger and the two differ.
private func multiple(_ a: Int128, _ b: Int128) -> Int32 {
  if a == b { return Int32(a) }
  var (x, y) = (a, b)
  while y != 0 { (x, y) = (y, x % y) }
  return Int32(min(a / x * b, 1_000_000_000))
}

/// By adding half and flooring the magnitude.
private func roundHalfAway(
  _ numerator: Int128, by denominator: Int128
) -> (quotient: Int128, isExact: Bool) {
  let magnitude = (2 * numerator.magnitude + denominator.magnitude) / (2 * denominator.magnitude)
  let quotient = numerator < 0 ? -Int128(magnitude) : Int128(magnitude)
  return (quotient, quotient * denominator == numerator)
}

/// By flooring, from which each method is told by the sign and what is left.
private func divide(
  _ numerator: Int128, by denominator: Int128, _ method: MediaTime.RoundingMethod,
  _ old: Int32, _ new: Int32
) -> Int128 {
  var floor = numerator / denominator
  if numerator < 0, floor * denominator != numerator { floor -= 1 }
  let ceiling = floor * denominator == numerator ? floor : floor + 1
  let (near, far) = numerator < 0 ? (ceiling, floor) : (floor, ceiling)
  switch method {
  case .roundHalfAwayFromZero: return roundHalfAway(numerator, by: denominator).quotient
  case .roundTowardZero: return near
  case .roundAwayFromZero: return far
  case .quickTime: return new > old ? far : numerator < 0 && near == 0 ? -1 : near
  case .roundTowardPositiveInfinity: return ceiling
  case .roundTowardNegativeInfinity: return floor
  }
}

/// |`time` - `exact` / `scale`|, times `scale` and the timescale of `time`.
private func error(of time: MediaTime, from exact: Int128, over scale: Int128) -> UInt128 {
  (Int128(time.value) * scale - exact * Int128(time.timescale)).magnitude
}

/// Whether `time` is `exact` / `scale` rounded at the rule's timescale or the first of its halves
/// at which it fits, marked only if it had to be; or an infinity if none fits.
private func isNearest(
  _ time: MediaTime, to exact: Int128, over scale: Int128, rule: () -> Int32
) -> Bool {
  var timescale = rule()
  while true {
    let whole = exact / scale * Int128(timescale)
    let (part, isExact) = roundHalfAway(exact % scale * Int128(timescale), by: scale)
    if let value = Int64(exactly: whole + part) {
      return time.fields
        == .init(value, timescale, isExact ? .valid : [.valid, .hasBeenRounded])
    }
    if timescale == 1 { return exact < 0 ? time.isNegativeInfinity : time.isPositiveInfinity }
    timescale /= 2
  }
}

private func <= (a: (high: UInt128, low: UInt128), b: (high: UInt128, low: UInt128)) -> Bool {
  a.high < b.high || (a.high == b.high && a.low <= b.low)
}
