// SPDX-License-Identifier: Apache-2.0

import MediaTime
import PulseAudio

/// The distance from a stream's read index at which a rewrite has to begin to be there in time.
///
/// The sink takes frames in blocks: the read index stands still for the length of a block, and then
/// goes on by a whole one. How long a block is and when the next one is due the server does not say,
/// and another client may change it at any time. So both are learnt from reports.
struct RewriteMargin {
  private let sampleRate: Int
  /// A block has at least so many frames: what was rendered ahead in a report, and what the read
  /// index was ahead of real time between two.
  private(set) var largestBlock: Int64 = 0
  /// A block has at most so many: the least that the read index has advanced by.
  private var blockBound = Int64.max
  private var last: (read: StreamFrame, ahead: Int64, hostTime: UInt64)?
  /// The report noted last.
  private(set) var newestReport: TimingReport?
  /// Up to here the read index would stand still at `last.read` if blocks fall as they did;
  /// nanoseconds of host time.
  private var standsUntil: Int64 = 0
  /// Host time in nanoseconds at which the index leaves `last.read` at the latest, where only it shows the blocks.
  ///
  /// An index is never seen to advance before it does: what a busy server tells late does not put this off.
  private var leavesBy = Int64.max
  /// Nanoseconds that the index of the report noted last has stood longer than blocks say.
  private var overdue: Int64 = 0
  /// True where frames rendered ahead are known to be heard before the next block is taken: not where a device
  /// has a delay of its own.
  private var latencyTellsBlocks = true
  /// The slowest answer of late, in nanoseconds: how busy the machine is.
  private var roundTrip: Int64 = 0
  /// A machine's delay at most, in nanoseconds; a longer answer is one of a server that was stopped, and
  /// says nothing of the next one: a pause right behind a stop of 1.2 s began 1.1 s later than it could.
  static let busy: Int64 = 20_000_000
  /// Nanoseconds on top; more, once that was not enough.
  ///
  /// At a sink with blocks of 2 ms each millisecond of it is a millisecond until a pause is heard; with
  /// 0.5 ms, three of 1,400 came late on a machine with something else to do.
  private var reserve = leastReserve
  private static let leastReserve: Int64 = 1_000_000
  private static let largestReserve: Int64 = 8_000_000

  /// Nanoseconds on top for a rewrite that can be delayed, and more where some had to be.
  ///
  /// With 0.1 ms one in 50 was so close to a block that nobody could say whether it was late.
  private static let usualDelay: Int64 = 200_000
  private var extraDelay: Int64 = 0

  init(sampleRate: Int) { self.sampleRate = sampleRate }

  /// Another sink, or the same one after a rest: its blocks are not known.
  mutating func forgetBlocks() {
    (largestBlock, blockBound, last, latencyTellsBlocks) = (0, .max, nil, true)
    (newestReport, leavesBy, overdue) = (nil, .max, 0)
  }

  /// The server has not said when a block falls: only the read index shows it, as it stands still.
  var mustWatchIndex: Bool { last.map { $0.ahead == 0 } ?? true }

  /// Takes what a report of a running stream says about the sink, whose clock is faster than the
  /// host's by `drift` parts in a million; nil where that is not known.
  mutating func note(_ report: TimingReport, drift: Double? = nil) {
    let ahead = report.framesRenderedAhead(sampleRate: sampleRate)
    let kept = roundTrip > Self.busy ? Self.busy : roundTrip * 15 / 16
    roundTrip = max(Int64(report.roundTrip), kept)
    let stands = Int64(report.hostTime)
    if let last, report.read >= last.read, report.hostTime >= last.hostTime {
      let elapsed = Int64(report.hostTime - last.hostTime)
      noteAdvance(report.read - last.read, within: elapsed, max(ahead, last.ahead))
      let passed = nanoseconds(report.read - last.read)
      // The sink's clock may run 200 ppm faster than the host's; where its drift is known, 30 ppm
      // faster than that.
      let faster = drift.map { Int64(Double(elapsed) * ($0 + 30) * 1e-6) } ?? elapsed / 5_000
      let slower = drift.map { Int64(Double(elapsed) * (30 - $0) * 1e-6) } ?? elapsed / 5_000
      let foreseen = standsUntil + passed - faster
      let isContradicted = report.read > last.read && standsUntil > stands
      overdue = max(0, stands - foreseen)
      if ahead > 0 { leavesBy = .max } else { noteLeaving(passed + slower, at: stands) }
      standsUntil = isContradicted ? stands : min(max(foreseen, stands), leavesBy)
    } else {
      (standsUntil, leavesBy, overdue) = (stands, .max, 0)
    }
    if ahead > blockBound { blockBound = .max }
    largestBlock = max(largestBlock, ahead)
    last = (report.read, ahead, report.hostTime)
    newestReport = report
  }

  private mutating func noteAdvance(_ frames: Int64, within elapsed: Int64, _ ahead: Int64) {
    guard frames > 0 else { return }
    let bound = max(frames, ahead + rounding)
    blockBound = min(blockBound, bound)
    let real = self.frames(elapsed)
    largestBlock = min(max(largestBlock, frames - real), bound)
  }

  /// The index has gone on by `passed` nanoseconds, rather more than less, at `time` at the latest.
  private mutating func noteLeaving(_ passed: Int64, at time: Int64) {
    guard blockBound < .max else { return leavesBy = .max }
    let block = nanoseconds(blockBound)
    let foreseen = leavesBy == .max ? .max : leavesBy + passed
    if foreseen < .max, time > foreseen + max(block / 2, Self.busy / 2) {
      // Blocks are longer than they were.
      (leavesBy, blockBound) = (.max, .max)
    } else {
      leavesBy = min(foreseen, time + block)
    }
  }

  /// The frame up to which a server may have read that tells late what it has, as of the report noted last.
  var mayHaveRead: StreamFrame? {
    guard let last else { return nil }
    guard mustWatchIndex, overdue > 0 else { return last.read }
    return last.read + block * (1 + frames(overdue) / block)
  }

  // Products that would leave 64 bits after two days, three hours at the highest rate: a pause may last.

  /// Nanoseconds of frames that a server says it has taken, an hour at most.
  private func nanoseconds(_ frames: Int64) -> Int64 {
    let time = Int128(frames) * 1_000_000_000 / Int128(sampleRate)
    return Int64(min(max(time, 0), 3_600_000_000_000))
  }

  private func frames(_ nanoseconds: Int64) -> Int64 {
    Int64(clamping: Int128(nanoseconds) * Int128(sampleRate) / 1_000_000_000)
  }

  /// A rewrite that began `frames` frames below the read index was too late by as many.
  mutating func wasLate(by frames: Int64) {
    largestBlock = max(largestBlock, frames)
    (blockBound, standsUntil) = (.max, 0)
    latencyTellsBlocks = false
    reserve = min(2 * reserve, Self.largestReserve)
  }

  /// A rewrite came late, and was delayed, or all but came late.
  mutating func wasDelayed() { extraDelay = min(max(2 * extraDelay, 250_000), Self.largestReserve) }

  /// A rewrite was there in time.
  ///
  /// Half of what was added for one that was not is taken back after 180 of them: where the least
  /// margin is too little, one in 200 is late. Of what rewrites that can be delayed were given, half is taken back
  /// after 44: after 11, seven to thirteen of 115 came late beside four programs that calculate, and three to twelve now.
  mutating func wasInTime() {
    reserve = max(Self.leastReserve, reserve - reserve / 256)
    extraDelay -= extraDelay / 64
  }

  /// The first frame that a rewrite now replaces as a rule: one that can be delayed need not be sure to
  /// be in time.
  func soonest(_ report: TimingReport, now: UInt64, writeTime: Int64) -> StreamFrame {
    let delay = Int64(report.roundTrip) + writeTime + Self.usualDelay + extraDelay
    return firstFrame(report, now: now, delay: delay)
  }

  /// The first frame that a rewrite now, after the report noted last, is sure to replace.
  ///
  /// `now` is host time in nanoseconds, `writeTime` are nanoseconds until the rewrite is on its way.
  func replaceable(_ report: TimingReport, now: UInt64, writeTime: Int64) -> StreamFrame {
    firstFrame(report, now: now, delay: sureDelay(report, writeTime))
  }

  /// Frames that are heard, at least, until a rewrite that is asked for now is sure to be there.
  func leastDistance(_ report: TimingReport, writeTime: Int64) -> Int64 {
    frames(sureDelay(report, writeTime))
  }

  /// Nanoseconds within which a rewrite is sure to be there.
  private func sureDelay(_ report: TimingReport, _ writeTime: Int64) -> Int64 {
    // What a slow machine takes to answer it takes to write, too.
    let answer = max(roundTrip, Int64(report.roundTrip))
    return answer + writeTime + max(reserve, answer)
  }

  /// The first frame to begin at where coming too late would lose frames: 8 ms further than
  /// expected, and as though a block were taken just now.
  func safe(_ report: TimingReport, now: UInt64, writeTime: Int64) -> StreamFrame {
    let delay = max(roundTrip, Int64(report.roundTrip)) + writeTime + Self.largestReserve
    let late = Int64(now) + delay - Int64(report.hostTime)
    return report.read + block + frames(late)
  }

  /// The first frame that a write now may still be in time for, if nothing delays it.
  func reachable(_ report: TimingReport, now: UInt64, writeTime: Int64) -> StreamFrame {
    firstFrame(report, now: now, delay: Int64(report.roundTrip) + writeTime)
  }

  private func firstFrame(_ report: TimingReport, now: UInt64, delay: Int64) -> StreamFrame {
    // Some of what was rendered ahead has been heard since the report.
    let told = latencyTellsBlocks ? Int64(report.hostTime) + report.sinkLatency : 0
    let late = Int64(now) + delay - max(told, standsUntil)
    guard late >= 0 else { return report.read }
    let (next, rest) = (block, frames(late))
    // Behind a block that is taken meanwhile the index stands still once more: a pause that missed one of 4 ms was
    // heard 5.3 to 7 ms behind the call.
    return report.read + next + (tellsBlocks && rest + rounding < next ? 0 : rest)
  }

  /// True where it is known how long blocks are, and the server says when the next one is due.
  private var tellsBlocks: Bool {
    latencyTellsBlocks && !mustWatchIndex && blockBound <= shortBlock
  }

  /// Frames that a block may be shorter than it seems: latencies are rounded to microseconds, and frames.
  private var rounding: Int64 { Int64(sampleRate / 2_000) }

  /// Frames of a block whose length is taken as it was seen.
  private var shortBlock: Int64 { Int64(sampleRate / 100) }

  /// Frames that the read index advances by, rather more than less.
  private var block: Int64 {
    if blockBound <= shortBlock { return blockBound }
    // A block is seen a little shorter than it is, as it is being heard when the report is made.
    let seen = largestBlock + Int64(sampleRate / 500)
    guard mustWatchIndex, blockBound < .max else { return min(blockBound, seen) }
    // The index advances by whole blocks: by 2,048 frames, where 1,388 had been seen of each, it was by one.
    // A mute 0.7 ms before the next one began 534 frames too early, in every second attempt.
    let blocks = max(1, blockBound / max(1, largestBlock))
    return min(blockBound, max(seen, (blockBound + blocks - 1) / blocks))
  }

  /// First frame of what a stream that stands still on a null sink that rewinds plays next.
  ///
  /// The sink gives back the silence that it has taken, but its monitor, which alone is
  /// listened to, has that already: without silence in front the first 300 frames of a resume were not
  /// heard there. When the stream runs the sink may have taken the next block, too, and no reserve of time is
  /// enough on a busy machine: with 2 ms and its slowest answer of late 48 frames were not heard, so it is a whole
  /// block always. Where the sink has taken more than 20 ms, to be heard at once counts more.
  ///
  /// - Parameters:
  ///   - report: The report noted last.
  ///   - blockLength: Frames of the longest block that the sink takes of the stream.
  /// - Returns: that frame.
  func startFrame(_ report: TimingReport, blockLength: Int64) -> StreamFrame {
    let taken = report.framesRenderedAhead(sampleRate: sampleRate)
    return taken <= sampleRate / 50 ? report.read + max(taken, blockLength) : report.read
  }
}
