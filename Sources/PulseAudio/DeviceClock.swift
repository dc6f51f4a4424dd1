// SPDX-License-Identifier: Apache-2.0

import Preconditions

/// The stream frame that is heard at each host time, estimated from timing reports.
///
/// A report is right or late: its stamp is taken after the sink was looked at, and PipeWire's
/// position is as old as its quantum. So the estimate is the line *below* all points of (host time,
/// lateness), as in S. Moon, P. Skelly, D. Towsley, "Estimation and Removal of Clock Skew from
/// Network Delay Measurements", INFOCOM 1999: the edge of their lower convex hull that spans the
/// mean of the times.
///
/// Measured, reports every 47 ms for 7 s, spread of the estimate: PulseAudio 0.03 ms (reports
/// 0.1–0.4 ms), PipeWire at a quantum of 2,048 frames 1.0 ms (reports 41 ms). A delay-locked loop
/// (F. Adriaensen, "Using a DLL to filter time", LAC 2005) at 0.1 Hz gave 0.03 ms and 6.0 ms, and
/// does not hold at one report in 500 ms on PipeWire (28 ms against 3.5 ms).
///
/// A value without references but for its points: copy `line`, not the clock, to other threads.
public struct DeviceClock: Sendable {
  /// The earliest report of a second.
  private struct Point {
    var second: Int64
    /// Nanoseconds since the first report.
    var time: Double
    /// Nanoseconds by which the frame came later than at the nominal rate.
    var lateness: Double
    /// By how much other reports of that second were later than the line then.
    var spread: Double
  }

  /// Seconds that are looked back on.
  private static let window = 32
  /// A slope is taken from at least so much; before that, the one known so far holds.
  private static let shortestBaseline = 10e9
  /// No sound card is further off; more is noise.
  private static let steepest = 300e-6
  /// Of the largest usual quantum, 2,048 frames at 48 kHz, until the sink's own is known.
  private static let firstSpread = 43e6
  /// Corrections are spread over so much.
  private static let catchUp = 200e6
  /// An hour, however far ahead the clock is: what would take longer no server can mean.
  private static let longestCatchUp = 3_600e9
  /// The clock jumps forward where it is further behind than this.
  private static let furthestBehind = 100e6

  /// Frames a second by the sink's word.
  public let sampleRate: Int
  /// The frame that is heard at each time, by the last report.
  public private(set) var line = ClockLine(frozenAt: 0)

  private var points: [Point] = []
  private var epoch: UInt64 = 0
  private var epochFrame: Int64 = 0
  private var reportCount = 0
  private var hasStarted = false
  /// Nanoseconds of lateness a nanosecond.
  private var slope = 0.0
  private var offset = 0.0
  /// Reports in a row that are later than any should be, and the time of the first.
  private var stragglers = (count: 0, since: 0.0)
  /// True where the sink may have stood still since the last report.
  private var isInDoubt = false

  /// A clock that stands at a frame until the first report.
  ///
  /// - Parameters:
  ///   - sampleRate: Frames a second, 1 or more.
  ///   - frame: The frame, as the first of a stream.
  public init(sampleRate: Int, at frame: Int64 = 0) {
    require(sampleRate > 0, "a clock at \(sampleRate) Hz; 1 and more are permitted")
    self.sampleRate = sampleRate
    line = ClockLine(frozenAt: Double(frame))
    points.reserveCapacity(Self.window)
  }

  /// The amount by which the sink is faster than its nominal rate, in parts per million of host time.
  ///
  /// 0 until 10 s of reports are there, which `isDriftKnown` tells.
  public var partsPerMillion: Double { -slope * 1e6 }

  /// True where there have been enough reports to tell the drift.
  public private(set) var isDriftKnown = false

  /// Takes a report in and bends `line` towards what it says.
  ///
  /// Does not allocate.
  ///
  /// - Parameters:
  ///   - report: From the same stream as all before.
  ///   - now: The host time at which the new line takes over, at or after the report's.
  /// - Returns: Whether it was used: not where the sink takes no frames, or the index is corrupt.
  @discardableResult
  public mutating func update(_ report: TimingReport, now: UInt64) -> Bool {
    guard report.isPlaying, !report.isReadIndexCorrupt else { return false }
    if points.isEmpty { (epoch, epochFrame) = (report.hostTime, report.readFrame) }
    guard report.hostTime >= epoch else { return false }
    let time = Double(report.hostTime - epoch)
    let heard =
      (Double(report.readFrame) - Double(epochFrame)) * 1e9 / Double(sampleRate)
      - Double(report.sinkLatency)
    insert(time: time, lateness: time - heard)
    isInDoubt = false
    fit()
    bend(at: now)
    return true
  }

  /// The frame that is heard at `hostTime` by the reports so far, also where `line`, which does not step back, is
  /// ahead of that; nil without a report since the last `freeze`.
  public func estimatedFrame(atHostTime hostTime: UInt64) -> Int64? {
    guard !points.isEmpty else { return nil }
    let frame = estimate(atHostTime: Double(hostTime) - Double(epoch))
    return Int64(min(max(frame, -0x1p62), 0x1p62).rounded(.down))
  }

  /// Holds the clock at what is heard at `hostTime`, as nothing has been told of the sink since; the next report
  /// starts it again.
  ///
  /// The next report is believed where it says that the sink has stood still, and those before are forgotten then.
  public mutating func hold(atHostTime hostTime: UInt64) {
    line = ClockLine(frozenAt: line.position(atHostTime: hostTime))
    isInDoubt = true
  }

  /// Holds the clock at what is heard at `hostTime`, as on cork; the next report starts it again.
  ///
  /// The reports before are forgotten, as the sink's delay may be another then; its drift is not.
  public mutating func freeze(atHostTime hostTime: UInt64) {
    line = ClockLine(frozenAt: line.position(atHostTime: hostTime))
    points.removeAll(keepingCapacity: true)
    reportCount = 0
    stragglers.count = 0
    isInDoubt = false
  }

  private mutating func insert(time: Double, lateness: Double) {
    let excess = max(lateness - (offset + slope * time), 0)
    // A sink that stood still is late for good. What lies further above the line than any report
    // before, four times in a row and for 300 ms, is no noise.
    let isStraggler = !points.isEmpty && excess > usualSpread + 2e6
    if isStraggler {
      if stragglers.count == 0 { stragglers.since = time }
      stragglers.count += 1
      if isInDoubt || stragglers.count >= 4 && time - stragglers.since >= 300e6 {
        points.removeAll(keepingCapacity: true)
        (stragglers.count, reportCount) = (0, 0)
      }
    } else {
      stragglers.count = 0
    }
    reportCount += 1
    let second = Int64(time / 1e9)
    let spread = isStraggler ? 0 : excess
    guard let last = points.indices.last, points[last].second == second else {
      if points.count == Self.window { points.removeFirst() }
      points.append(Point(second: second, time: time, lateness: lateness, spread: spread))
      return
    }
    points[last].spread = max(points[last].spread, spread)
    if lateness - slope * time < points[last].lateness - slope * points[last].time {
      (points[last].time, points[last].lateness) = (time, lateness)
    }
  }

  /// Nanoseconds that reports lie above the line as a rule.
  private var usualSpread: Double {
    guard reportCount >= 20 else { return Self.firstSpread }
    return points.reduce(0) { max($0, $1.spread) }
  }

  private mutating func fit() {
    if points[points.count - 1].time - points[0].time >= Self.shortestBaseline {
      slope = min(max(hullSlope(), -Self.steepest), Self.steepest)
      isDriftKnown = true
    }
    offset = points.reduce(Double.infinity) { min($0, $1.lateness - slope * $1.time) }
  }

  /// The slope of the lower hull where it spans the mean time, found edge by edge from the left.
  private func hullSlope() -> Double {
    let mean = points.reduce(0) { $0 + $1.time } / Double(points.count)
    var (from, slope) = (0, 0.0)
    repeat {
      var best = from + 1
      slope = .infinity
      for next in (from + 1)..<points.count {
        let candidate =
          (points[next].lateness - points[from].lateness) / (points[next].time - points[from].time)
        if candidate <= slope { (best, slope) = (next, candidate) }
      }
      from = best
    } while points[from].time < mean && from < points.count - 1
    return slope
  }

  private func estimate(atHostTime hostTime: Double) -> Double {
    let heard = hostTime - (offset + slope * hostTime)
    return Double(epochFrame) + heard * Double(sampleRate) / 1e9
  }

  /// Leads the line from where it is to the estimate, without a jump back.
  private mutating func bend(at now: UInt64) {
    let framesPerNanosecond = Double(sampleRate) / 1e9
    let time = Double(now) - Double(epoch)
    let target = estimate(atHostTime: time)
    let behind = (target - line.position(atHostTime: now)) / framesPerNanosecond
    let jumps = !hasStarted || behind > Self.furthestBehind
    hasStarted = true
    let start = jumps ? target : line.position(atHostTime: now)
    // At a tenth of the speed at least.
    let length = min(
      jumps ? Self.catchUp : max(Self.catchUp, -behind / 0.9), Self.longestCatchUp)
    let end = max(
      estimate(atHostTime: time + length), start + length / 10 * framesPerNanosecond)
    line = ClockLine(
      from: start, at: now, to: end, at: now + UInt64(length),
      rate: framesPerNanosecond * (1 - slope))
  }
}
