// SPDX-License-Identifier: Apache-2.0

import Preconditions
import Attacca
import CRubberBand

/// A Rubber Band stretcher in real-time mode, of its finer engine.
///
/// It is given one hop at a time. It rounds what it makes of a hop to whole frames, and what it is off
/// by so far it counts once for each piece that it is given, however many hops that has: by pieces of
/// 1,024 and 100 frames in turn, at twice the speed, it was off by 240 ms after 100 s. One hop a piece,
/// it is off by 3 frames at most, for ever, and what it makes does not depend on how frames come.
final class RubberBandStretcher: TimeStretcher, @unchecked Sendable {
  // @unchecked: used by one thread at a time, as its protocol says.
  private let state: RubberBandState
  private let channelCount: Int
  private let speed: Double
  /// The hop that is being gathered, then what was made of it: one channel after the other, as it
  /// wants them.
  private let planes: [UnsafeMutablePointer<Float>]
  private let planeFrames: Int
  /// Frames of the hop so far, and of all of it.
  private var filled: Int
  private var hopFrames: Int
  /// Frames of silence from before the first one, still to be left out.
  private var delay: Int
  /// Interleaved samples that can be pulled, behind `pulled` ones that were.
  private var made: [Float] = []
  private var pulled = 0

  let withheldFrames: Int

  /// Plays frames of `format` `speed` times as fast.
  init(speed: Double, format: AudioFormat) {
    channelCount = format.channelCount
    self.speed = speed
    let options =
      RubberBandOptionProcessRealTime.rawValue | RubberBandOptionEngineFiner.rawValue
      | RubberBandOptionThreadingNever.rawValue | RubberBandOptionChannelsTogether.rawValue
    guard
      let state = rubberband_new(
        UInt32(format.sampleRate), UInt32(channelCount), Int32(bitPattern: options), 1 / speed, 1)
    else { trap("rubberband_new") }
    self.state = state
    // The first hop is a whole window, half of it silence before the first frame.
    let window = Int(rubberband_get_samples_required(state))
    let pad = Int(rubberband_get_preferred_start_pad(state))
    (planeFrames, hopFrames, filled) = (window, window, pad)
    rubberband_set_max_process_size(state, UInt32(window))
    planes = (0..<channelCount).map { _ in .allocate(capacity: window) }
    for plane in planes { plane.initialize(repeating: 0, count: window) }
    delay = Int(rubberband_get_start_delay(state))
    // What is in the window behind the middle of it, and some frames of rounding.
    withheldFrames = Int(Double(window - pad) / speed) + delay + 8
  }

  deinit {
    rubberband_delete(state)
    for plane in planes { plane.deallocate() }
  }

  func push(_ frames: UnsafePointer<Float>, frameCount: Int) {
    gather(frameCount) { done, count in
      for (channel, plane) in planes.enumerated() {
        let source = frames + done * channelCount + channel
        for i in 0..<count { plane[filled + i] = source[i * channelCount] }
      }
    }
  }

  /// Silence gets out what is withheld: told that a hop of no frames is the last one, version 3.1.2
  /// makes nothing of it.
  func end() {
    gather(Int((Double(withheldFrames) * speed).rounded(.up))) { _, count in
      for plane in planes { (plane + filled).update(repeating: 0, count: count) }
    }
  }

  /// Adds `frameCount` frames to the hop; `fill` writes some of them behind those that are there.
  private func gather(_ frameCount: Int, fill: (_ done: Int, _ count: Int) -> Void) {
    made.removeFirst(pulled)
    pulled = 0
    var done = 0
    while done < frameCount {
      let count = min(hopFrames - filled, frameCount - done)
      fill(done, count)
      filled += count
      done += count
      if filled == hopFrames { processHop() }
    }
  }

  private func processHop() {
    let input = planes.map { UnsafePointer<Float>?($0) }
    input.withUnsafeBufferPointer {
      rubberband_process(state, $0.baseAddress, UInt32(hopFrames), 0)
    }
    while case let count = retrieve(), count > 0 {
      let silence = min(delay, count)
      delay -= silence
      for i in silence..<count {
        for plane in planes { made.append(plane[i]) }
      }
    }
    filled = 0
    // It tells so while nothing can be retrieved.
    hopFrames = Int(rubberband_get_samples_required(state))
    require((1...planeFrames).contains(hopFrames), "a hop of \(hopFrames) frames")
  }

  private func retrieve() -> Int {
    let available = min(planeFrames, Int(rubberband_available(state)))
    guard available > 0 else { return 0 }
    let output = planes.map { UnsafeMutablePointer<Float>?($0) }
    return output.withUnsafeBufferPointer {
      Int(rubberband_retrieve(state, $0.baseAddress, UInt32(available)))
    }
  }

  func pull(into frames: UnsafeMutablePointer<Float>, frameCount: Int) -> Int {
    let count = min(frameCount, (made.count - pulled) / channelCount)
    made.withUnsafeBufferPointer { made in
      guard let source = made.baseAddress else { return }
      frames.update(from: source + pulled, count: count * channelCount)
    }
    pulled += count * channelCount
    return count
  }
}
