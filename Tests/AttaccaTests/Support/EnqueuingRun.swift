// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
import Foundation
import MediaTime
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
  /// Where the last buffer ended by its own time.
  private var told = RationalTime.zero
  /// What was discarded last began there: nothing is enqueued for a time before.
  private var least = RationalTime.zero
  /// The media time of the next frame, in seconds.
  private var expected = 0.0
  /// The media time of the last frame heard.
  private var lastHeard = 0.0
  /// Changes of time or speed since then, each of which may round to a frame.
  private var changes = 0
  /// Timeline frames in a second, of the last frame heard.
  private var lastRate = 0
  /// Frames of the stream that have been pulled.
  private var pulled: StreamFrame = 0
  private var looks = 0.0
  /// Up to this frame of the stream two speeds may be blended.
  private var blend = StreamFrame.min
  /// Frames of the last fade out that may still be heard.
  private var fading = 0
  private let waits: Bool
  private(set) var done: [String] = []

  /// With `waits` each change of the rate is carried out before anything else is done.
  init(seed: UInt64, waits: Bool) {
    random = SplitMix64(seed: seed)
    self.waits = waits
    let rate = [8_000, 44_100, 48_000].randomElement(using: &random) ?? 48_000
    let layout = [ChannelLayout.mono, .stereo].randomElement(using: &random) ?? .mono
    renderer = OfflineRenderer(format: AudioFormat(sampleRate: rate, layout: layout))
    renderer.audioTimePitchAlgorithm = .varispeed
    synchronizer.fade = .none
    synchronizer.addRenderer(renderer)
    done.append("\(renderer.format)")
    synchronizer.rate = 1
  }

  private func number(_ range: ClosedRange<Int64>) -> Int64 { .random(in: range, using: &random) }

  private func milliseconds(_ range: ClosedRange<Int64>) -> RationalTime {
    RationalTime(frames: number(range), rate: 1_000)
  }

  // MARK: Enqueuing

  private func enqueue() {
    guard renderer.isReadyForMoreMediaData || number(0...9) == 0 else { return }
    let rate = [8_000, 22_050, 44_100, 48_000, 96_000].randomElement(using: &random) ?? 48_000
    let layout = [ChannelLayout.mono, .stereo].randomElement(using: &random) ?? .mono
    let format = AudioFormat(sampleRate: rate, layout: layout)
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
    let storage = FrameStorage(capacity: max(1, count * format.channelCount))
    let begin = next.seconds - Double(trim) / Double(rate)
    for i in 0..<(count * format.channelCount) {
      let frame = i / format.channelCount
      storage.samples[i] = NamedTimes.name(begin + Double(frame) / Double(rate))
    }
    let end = next + RationalTime(frames: Int64(count - trim), rate: rate)
    done.append("enqueue \(next.seconds)..<\(end.seconds) \(format)")
    // What is contiguous to half a frame with the end that the last one told is heard right behind it, what
    // is not where its own time says.
    let time = times.end == next ? told + jitter : next
    told = time + (end - next)
    renderer.enqueue(
      SampleBuffer(
        storage: storage, format: format, frameCount: count, time: time, trimAtStart: trim))
    if count > trim { times.enqueue(from: next, to: end, rate: rate) }
    next = end
  }

  private func discard() {
    fading = 0
    if number(0...1) == 0 {
      done.append("flush")
      renderer.flush()
      times.flush(at: expected)
      next = somewhere()
      least = next
      return
    }
    let time = somewhere()
    let cut = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var isCut = false  // Written before the signal, read after it.
    renderer.flush(fromSourceTime: mediaTime(time)) {
      isCut = $0
      cut.signal()
    }
    cut.wait()
    done.append("flush from \(time.seconds): \(isCut)")
    guard isCut else { return }
    times.cut(from: time)
    (next, least, told) = (time, time, time)
    if number(0...1) == 0 { next = next + milliseconds(3...5_000) }
  }

  /// About as far as is enqueued, in whole milliseconds.
  private func somewhere() -> RationalTime {
    RationalTime(frames: max(0, Int64(expected * 1_000) + number(-100...3_000)), rate: 1_000)
  }

  private func mediaTime(_ time: RationalTime) -> MediaTime {
    MediaTime(value: time.frames(at: 1_000), timescale: 1_000)
  }

  // MARK: Time

  private func changeRate() throws(Fault) {
    synchronizer.rate = [0.25, 0.5, 0.97, 1, 1.3, 2, 4].randomElement(using: &random) ?? 1
    done.append("rate \(synchronizer.rate)")
    changes += 1
    if waits { try settle() }
  }

  private func steer() throws(Fault) {
    looks += 5
    let off = Double(number(-2...2)) / 10_000
    done.append("off by \(off)")
    changes += 1
    _ = renderer.steer(off: off, time: looks, interval: 5)
    if waits { try settle() }
  }

  private func jump(to time: RationalTime, rate: Double) throws(Fault) {
    synchronizer.setRate(rate, time: mediaTime(time))
    done.append("rate \(rate) at \(time.seconds)")
    times.pass(expected)
    times.pass(time.seconds)
    (expected, changes) = (time.seconds, changes + 1)
    if waits { try settle() }
  }

  /// Waits until what was asked for has been carried out.
  private func settle() throws(Fault) {
    let deadline = HostTime.now() + 20_000_000_000
    while renderer.isStale || renderer.output.withLock({ renderer.kept.isConverting }) {
      guard HostTime.now() < deadline else {
        throw Fault(description: "another speed is not carried out in 20 s")
      }
      sched_yield()
    }
  }

  func step() throws(Fault) {
    switch number(0...30) {
    case 0...13: enqueue()
    case 14...22: try pull(Int(number(1...12_000)))
    case 23...24: discard()
    case 25...26: try changeRate()
    case 27:
      let place = RationalTime(frames: number(0...8_000), rate: 1_000)
      try jump(
        to: number(0...3) == 0 ? place : somewhere(),
        rate: [0, 1, 2].randomElement(using: &random) ?? 1)
    case 28:
      done.append("finish")
      renderer.finishEnqueuing()
      times.finish()
    case 29: try steer()
    default:
      done.append("rate 0 and back")
      let rate = synchronizer.rate
      synchronizer.rate = 0
      synchronizer.rate = rate == 0 ? 1 : rate
    }
  }

  // MARK: Hearing

  private func pull(_ count: Int) throws(Fault) {
    let channels = renderer.format.channelCount
    var samples = [Float](repeating: .nan, count: count * channels)
    let there = samples.withUnsafeMutableBufferPointer {
      renderer.render(frames: count, into: $0.baseAddress!)
    }
    guard there > 0 else { return }
    done.append("pull \(there)")
    let map = renderer.publishedMap.read()
    var frame = pulled
    pulled += there
    while frame < pulled {
      let piece = map.piece(at: frame)
      let end = (0..<map.count).map { map.pieces[$0].stream }.filter { $0 > frame }.min() ?? pulled
      let first = Int(frame - pulled) + there
      let run = samples[(first * channels)..<((Int(min(end, pulled) - frame) + first) * channels)]
      try run.withUnsafeBufferPointer { samples throws(Fault) in
        if piece.isRunning { try hear(samples, piece, at: frame) } else { try fade(samples) }
      }
      frame = min(end, pulled)
    }
  }

  /// Of what was heard 5 ms go out.
  private func fade(_ samples: UnsafeBufferPointer<Float>) throws(Fault) {
    fading += samples.count / renderer.format.channelCount
    let most = NamedTimes.name(max(expected, lastHeard)) * 1.3
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
    (lastRate, changes) = (piece.rate, 0)
    var content = times.content(at: begin, rate: piece.rate)
    for i in 0..<(samples.count / channels) {
      let (time, sample) = (begin + Double(i) * step, samples[i * channels])
      if time >= content.until { content = times.content(at: time, rate: piece.rate) }
      let name = NamedTimes.name(time)
      // A frame, and what 32 bits hold of so large a number behind a filter.
      let apart: Float = frame + i < blend ? 0.02 + name * 1e-3 : 0
      let isNamed = abs(sample - name) <= Float(1.5 * step) + name * 2e-6 + apart
      let isSilent = abs(sample) < 1e-4 * name
      let isRight =
        switch content.0 {
        case .sound: isNamed
        case .silence: isSilent
        case .passed: isNamed || isSilent || apart > 0 && sample >= 0 && sample <= name * 1.01
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
    lastHeard = expected - step
    times.pass(lastHeard)
  }

  /// Plays what there is to its end.
  func finish() throws(Fault) {
    try settle()
    renderer.finishEnqueuing()
    times.finish()
    let (end, passed) = (times.lastSound ?? expected, max(times.passed, expected))
    let last = max(0, Int64(end * 1_000) - number(0...900))
    try jump(to: RationalTime(frames: last, rate: 1_000), rate: 4)
    try settle()
    var fault: Fault?
    wait {
      do throws(Fault) {
        try pull(48_000)
      } catch {
        fault = error
        return true
      }
      return renderer.output.withLock {
        renderer.line.isFinished && renderer.lead == 0 && renderer.pendingBuffers == 0
          && !renderer.isPaceStale && !renderer.kept.isConverting
      }
    }
    if let fault { throw fault }
    // What was passed over before may have been forgotten.
    guard times.lastSound == nil || end <= passed || expected >= end - 2 / Double(lastRate) else {
      throw Fault(description: "nothing is heard from \(expected) on; the end is \(end)")
    }
  }
}
