// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
import Foundation
import MediaTime
@testable import Rendering
import TestSeeds
import Testing

/// A bare renderer that is given whatever a caller may give it, in any order, and `NamedTimes`, which says
/// what each frame of it must be.
final class EnqueuingRun {
  struct Fault: Error, CustomStringConvertible {
    let description: String
  }

  private let renderer: OfflineRenderer
  private let synchronizer = RenderSynchronizer()
  private var random: SplitMix64
  private var times = NamedTimes()
  /// Where the next buffer is to begin, as a rule.
  private var next = RationalTime.zero
  /// Where the last buffer ended by its own time; nil where nothing continues it.
  private var told: RationalTime?
  /// What was discarded last began there: nothing is enqueued for a time before.
  private var least = RationalTime.zero
  /// The media time of the next frame, in seconds.
  private var expected = 0.0
  /// The media time of the last frame heard.
  private var lastHeard = 0.0
  /// The latest media time that a jump since then left before it was heard, or 0.
  private var leftUnheard = 0.0
  /// Changes of time or speed since then, each of which may round to a frame.
  private var changes = 0
  /// Timeline frames in a second, of the last frame heard.
  private var lastRate = 0
  /// Frames of the stream that have been pulled.
  private var pulled: StreamFrame = 0
  private var looks = 0.0
  /// Up to this frame of the stream two speeds may be blended.
  private var blend = StreamFrame.min
  /// Timeline frames in a second of the speed before.
  private var other = 48_000
  /// Frames of the last fade out that may still be heard.
  private var fading = 0
  private let waits: Bool
  private(set) var done: [EnqueuingStep] = []
  /// The last change of the ratio that follows the clocks, from either of two.
  private var glides: [EnqueuingGlide] = []
  /// Whether the last cut was in time.
  private var isCut = false

  /// With `waits` each change of the rate is carried out before anything else is done.
  convenience init(seed: UInt64, waits: Bool) {
    var random = SplitMix64(seed: seed)
    let rate = [8_000, 44_100, 48_000].randomElement(using: &random) ?? 48_000
    let layout = [ChannelLayout.mono, .stereo].randomElement(using: &random) ?? .mono
    self.init(AudioFormat(sampleRate: rate, layout: layout), waits: waits, random: random)
  }

  init(_ format: AudioFormat, waits: Bool, random: SplitMix64 = SplitMix64(seed: 0)) {
    (self.random, self.waits) = (random, waits)
    renderer = OfflineRenderer(format: format)
    renderer.audioTimePitchAlgorithm = .varispeed
    synchronizer.fade = .none
    synchronizer.addRenderer(renderer)
    synchronizer.rate = 1
  }

  /// All that was done.
  var history: String { (["\(renderer.format)"] + done.map(\.description)).joined(separator: "\n") }

  private func number(_ range: ClosedRange<Int64>) -> Int64 { .random(in: range, using: &random) }

  private func milliseconds(_ range: ClosedRange<Int64>) -> RationalTime {
    RationalTime(frames: number(range), rate: 1_000)
  }

  // MARK: Choosing

  /// Does anything.
  func step() throws(Fault) {
    switch number(0...30) {
    case 0...13: try enqueueAny()
    case 14...22: try perform(.pull(Int(number(1...12_000))))
    case 23...24: try discard()
    case 25...26:
      try perform(.rate([0.25, 0.5, 0.97, 1, 1.3, 2, 4].randomElement(using: &random) ?? 1))
    case 27:
      let place = RationalTime(frames: number(0...8_000), rate: 1_000)
      let time = number(0...3) == 0 ? place : somewhere()
      try perform(.jump(to: time, rate: [0, 1, 2].randomElement(using: &random) ?? 1))
    case 28: try perform(.finish)
    case 29: try perform(.steer(off: Double(number(-2...2)) / 10_000))
    default: try perform(.interrupt)
    }
  }

  private func enqueueAny() throws(Fault) {
    guard renderer.isReadyForMoreMediaData || number(0...9) == 0 else { return }
    let rate = [8_000, 22_050, 44_100, 48_000, 96_000].randomElement(using: &random) ?? 48_000
    let layout = [ChannelLayout.mono, .stereo].randomElement(using: &random) ?? .mono
    let count = Int(number(0...9) == 0 ? number(0...50) : number(0...Int64(rate)))
    var jitter = RationalTime.zero
    switch number(0...9) {
    case 0: next = next + milliseconds(3...6_000)
    case 1:
      // What is less than a millisecond off is contiguous.
      let back = max(least, next - milliseconds(3...500))
      if back + RationalTime(frames: 3, rate: 1_000) <= next { next = back }
    case 2: jitter = RationalTime(frames: number(-1...1), rate: 2 * rate)
    default: break
    }
    let trim = Int(number(0...Int64(count)) / 8)
    let format = AudioFormat(sampleRate: rate, layout: layout)
    try perform(.enqueue(from: next, format, count: count, trim: trim, jitter: jitter))
  }

  private func discard() throws(Fault) {
    if number(0...1) == 0 {
      try perform(.flush)
      next = somewhere()
      least = next
      return
    }
    let time = somewhere()
    try perform(.cut(from: time))
    guard isCut else { return }
    (next, least) = (time, time)
    if number(0...1) == 0 { next = next + milliseconds(3...5_000) }
  }

  /// About as far as is enqueued, in whole milliseconds.
  private func somewhere() -> RationalTime {
    RationalTime(frames: max(0, Int64(expected * 1_000) + number(-100...3_000)), rate: 1_000)
  }

  // MARK: Doing

  func perform(_ step: EnqueuingStep) throws(Fault) {
    done.append(step)
    switch step {
    case .enqueue(let from, let format, let count, let trim, let jitter):
      enqueue(at: from, format, count: count, trim: trim, jitter: jitter)
    case .flush:
      fading = 0
      renderer.flush()
      times.flush(at: expected)
      told = nil
    case .cut(let time): cut(from: time)
    case .finish:
      renderer.finishEnqueuing()
      times.finish()
    case .interrupt:
      let rate = synchronizer.rate
      synchronizer.rate = 0
      synchronizer.rate = rate == 0 ? 1 : rate
    case .pull(let count): try pull(count)
    case .rate(let rate):
      synchronizer.rate = rate
      try changed()
    case .steer(let off):
      looks += 5
      try steer(off: off)
    case .jump(let time, let rate):
      // Another speed is heard from where it was, by a crossfade, before what is there goes elsewhere; and from where
      // it was to begin, where that is left before it is heard.
      if changes > 0 || rate != 0 && Double(rate) != renderer.rate { times.restart(at: expected) }
      synchronizer.setRate(rate, time: mediaTime(time))
      times.pass(expected)
      times.pass(time.seconds)
      (leftUnheard, expected) = (max(leftUnheard, expected), time.seconds)
      try changed()
    }
  }

  private func enqueue(
    at place: RationalTime, _ format: AudioFormat, count: Int, trim: Int, jitter: RationalTime
  ) {
    let rate = format.sampleRate
    let storage = FrameStorage(capacity: max(1, count * format.channelCount))
    // What is contiguous to half a frame with the end that the last one told is heard right behind it, what
    // is not where its own time says.
    let isContinued = told != nil && times.end == place
    let begin = isContinued ? place : place + jitter
    let time = isContinued ? (told ?? place) + jitter : begin
    let first = begin.seconds - Double(trim) / Double(rate)
    for i in 0..<(count * format.channelCount) {
      let frame = i / format.channelCount
      storage.samples[i] = NamedTimes.name(first + Double(frame) / Double(rate))
    }
    let end = begin + RationalTime(frames: Int64(count - trim), rate: rate)
    (next, told) = (end, time + (end - begin))
    renderer.enqueue(
      SampleBuffer(
        storage: storage, format: format, frameCount: count, time: time, trimAtStart: trim))
    if count > trim { times.enqueue(from: begin, to: end, rate: rate) }
  }

  private func cut(from time: RationalTime) {
    fading = 0
    let cut = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var isCut = false  // Written before the signal, read after it.
    renderer.flush(fromSourceTime: mediaTime(time)) {
      isCut = $0
      cut.signal()
    }
    cut.wait()
    self.isCut = isCut
    guard isCut else { return }
    times.cut(from: time)
    told = nil
  }

  private func steer(off: Double) throws(Fault) {
    let rate = renderer.format.sampleRate
    // What is heard is what the ratio goes from; without waiting it may be what was wanted last by then.
    let from = renderer.output.withLock {
      [renderer.conversion.timelineRate, renderer.wanted.speed.pace.timelineRate(for: rate)]
    }
    looks += 5
    _ = renderer.steer(off: off, time: looks, interval: 5)
    let to = renderer.output.withLock { renderer.wanted.speed.pace.timelineRate(for: rate) }
    let begin = waits ? max(0, expected - 0.1) : nil
    glides = from.map { EnqueuingGlide(from: $0, to: to, length: 2 * rate, begin: begin) }
    try changed()
  }

  private func mediaTime(_ time: RationalTime) -> MediaTime {
    MediaTime(value: time.frames(at: 1_000), timescale: 1_000)
  }

  /// Another time or speed was asked for.
  private func changed() throws(Fault) {
    changes += 1
    if waits { try settle() }
  }

  /// Waits until what was asked for has been carried out.
  private func settle() throws(Fault) {
    let deadline = HostTime.now() + 20_000_000_000
    while !isSettled {
      guard HostTime.now() < deadline else {
        throw Fault(description: "another speed is not carried out in 20 s; \(state)")
      }
      sched_yield()
    }
  }

  private var isSettled: Bool {
    !renderer.isStale && !renderer.output.withLock { renderer.intake.unheardBuffers.isConverting }
  }

  // MARK: HeardPosition

  private func pull(_ count: Int) throws(Fault) {
    let channels = renderer.format.channelCount
    var samples = [Float](repeating: .nan, count: count * channels)
    // What was asked for may be carried out behind this.
    let isSettled = isSettled
    let there = samples.withUnsafeMutableBufferPointer {
      renderer.render(frames: count, into: $0.baseAddress!)
    }
    guard there > 0 else { return }
    let map = renderer.publishedMap.read()
    var (frame, isHeard) = (pulled, false)
    pulled += there
    while frame < pulled {
      let piece = map.piece(at: frame)
      let end = (0..<map.count).map { map.pieces[$0].stream }.filter { $0 > frame }.min() ?? pulled
      let first = Int(frame - pulled) + there
      let run = samples[(first * channels)..<((Int(min(end, pulled) - frame) + first) * channels)]
      try run.withUnsafeBufferPointer { samples throws(Fault) in
        if piece.isRunning { try hear(samples, piece, at: frame) } else { try fade(samples) }
      }
      isHeard = isHeard || piece.isRunning
      frame = min(end, pulled)
    }
    if isSettled, isHeard { changes = 0 }
  }

  /// Of what was heard 5 ms go out.
  private func fade(_ samples: UnsafeBufferPointer<Float>) throws(Fault) {
    fading += samples.count / renderer.format.channelCount
    let most = NamedTimes.name(max(expected, lastHeard, leftUnheard)) * 1.3
    guard fading <= renderer.format.sampleRate / 200, samples.allSatisfy({ abs($0) <= most }) else {
      throw Fault(description: "\(fading) frames are heard while time stands at \(expected)")
    }
  }

  private func hear(
    _ samples: UnsafeBufferPointer<Float>, _ piece: RenderMap.Piece, at frame: StreamFrame
  ) throws(Fault) {
    fading = 0
    let (channels, step) = (renderer.format.channelCount, 1 / Double(piece.rate))
    let begin = Double(piece.media(at: frame).number) * step
    // At the highest speed there is a frame in four.
    let isOther = piece.rate != lastRate && lastRate != 0
    let rounding = 4 / Double(renderer.format.sampleRate)
    guard abs(begin - expected) <= rounding * Double(changes + (isOther ? 1 : 0)) + 1e-9 else {
      throw Fault(description: "\(begin) follows at \(expected)")
    }
    if isOther || changes > 0 {
      // Made anew from a tenth of a second before the playhead on, where that was then.
      times.restart(at: begin - 0.1)
      if !waits { times.restart(at: begin) }
      blend = frame + renderer.format.sampleRate / 20
    }
    if isOther { other = lastRate }
    lastRate = piece.rate
    var content = times.content(at: begin, rate: piece.rate)
    for i in 0..<(samples.count / channels) {
      let (time, sample) = (begin + Double(i) * step, samples[i * channels])
      if time >= content.until { content = times.content(at: time, rate: piece.rate) }
      let name = NamedTimes.name(time)
      // A frame, and what 32 bits hold of so large a number behind a filter.
      let apart: Float = frame + i < blend ? 0.02 + name * 1e-3 : 0
      let near = Float(1.5 * step) + name * 2e-6 + apart
      let isNamed =
        abs(sample - name) <= near || isGliding(sample - name, at: time, piece.rate, near)
      let isSilent = abs(sample) < 1e-4 * name
      let isRight =
        switch content.0 {
        case .sound: isNamed || apart > 0 && times.isBlended(sample, at: time, with: other)
        case .silence: isSilent || apart > 0 && times.isAhead(sample, at: time, rate: piece.rate)
        // A filter that began in what was forgotten rings by 1.1 %.
        case .passed:
          isNamed || isSilent || abs(sample - name) <= 0.015 * name
            || apart > 0 && sample >= 0 && sample <= name * 1.015
        case .edge: sample >= -0.3 * name && sample <= 1.3 * name
        }
      guard isRight, channels == 1 || samples[i * channels + 1] == sample else {
        let more = samples[(i * channels)...].prefix(8 * channels).map { $0 }
        throw Fault(
          description: """
            \(sample) is heard at \(time), frame \(frame + i), where \(name) is: \(content) of \
            \(times.description); \(more) follow at \(piece.rate) Hz
            """)
      }
    }
    expected = begin + Double(samples.count / channels) * step
    (lastHeard, leftUnheard) = (expected - step, 0)
    times.pass(lastHeard)
  }

  /// Whether a sample that is `off` from its name at `time` is where the ratio glides to: next to the curve of
  /// that, or where nobody knows when it began between it and the line.
  private func isGliding(_ off: Float, at time: Double, _ rate: Int, _ near: Float) -> Bool {
    glides.contains { glide in
      guard glide.to == rate else { return false }
      let most = glide.offset(at: 1 / 3.0)
      guard let begin = glide.begin else {
        return off >= Float(min(0, most)) - near && off <= Float(max(0, most)) + near
      }
      let first = times.beginOfRun(at: time, from: begin)
      let seconds = (time - first) * Double(rate) / Double(renderer.format.sampleRate)
      return abs(off - Float(glide.offset(at: seconds / 2))) <= near
    }
  }

  /// What the end is waited for by.
  private var state: String {
    renderer.output.withLock {
      """
      finished \(renderer.line.isFinished), \(renderer.lead) frames ahead, \(renderer.intake.pendingBuffers) buffers \
      wait, another pace \(renderer.isPaceStale), being made anew \(renderer.intake.unheardBuffers.isConverting), \
      \(renderer.line.transport)
      """
    }
  }

  private var isOver: Bool {
    renderer.output.withLock {
      renderer.line.isFinished && renderer.lead == 0 && renderer.intake.pendingBuffers == 0
        && !renderer.isPaceStale && !renderer.intake.unheardBuffers.isConverting
    }
  }

  /// Plays what there is to its end.
  func finish() throws(Fault) {
    try settle()
    try perform(.finish)
    let (end, passed) = (times.lastSound ?? expected, max(times.passed, expected))
    let last = max(0, Int64(end * 1_000) - number(0...900))
    try perform(.jump(to: RationalTime(frames: last, rate: 1_000), rate: 4))
    try settle()
    let deadline = HostTime.now() + 60_000_000_000
    while !isOver {
      guard HostTime.now() < deadline else {
        throw Fault(description: "the end does not come within a minute; \(state)")
      }
      try pull(48_000)
    }
    // What was passed over before, to a frame, may have been forgotten.
    guard times.lastSound == nil || max(passed, expected) >= end - 2 / Double(lastRate) else {
      throw Fault(description: "nothing is heard from \(expected) on; the end is \(end); \(state)")
    }
  }
}
