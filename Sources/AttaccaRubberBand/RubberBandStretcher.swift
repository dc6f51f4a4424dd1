// SPDX-License-Identifier: Apache-2.0

import Attacca
import CRubberBand

/// A Rubber Band stretcher in real-time mode, of its finer engine.
final class RubberBandStretcher: TimeStretcher, @unchecked Sendable {
  // @unchecked: used by one thread at a time, as its protocol says.
  private let state: RubberBandState
  private let channelCount: Int
  /// One channel after the other, as it wants them.
  private let planes: [UnsafeMutablePointer<Float>]
  private static let planeFrames = 1_024
  /// Frames of silence from before the first one, still to be left out.
  private var delay: Int

  let withheldFrames: Int

  /// Plays frames of `format` `speed` times as fast.
  init(speed: Double, format: AudioFormat) {
    channelCount = format.channelCount
    let options =
      RubberBandOptionProcessRealTime.rawValue | RubberBandOptionEngineFiner.rawValue
      | RubberBandOptionThreadingNever.rawValue | RubberBandOptionChannelsTogether.rawValue
    guard
      let state = rubberband_new(
        UInt32(format.sampleRate), UInt32(channelCount), Int32(bitPattern: options), 1 / speed, 1)
    else { preconditionFailure("rubberband_new") }
    self.state = state
    rubberband_set_max_process_size(state, UInt32(Self.planeFrames))
    planes = (0..<channelCount).map { _ in .allocate(capacity: Self.planeFrames) }
    delay = Int(rubberband_get_start_delay(state))
    // A window is 2,048 frames at 48 kHz, and it holds back some; measured 6,100 at most.
    withheldFrames = format.sampleRate / 4 + delay
    for plane in planes { plane.update(repeating: 0, count: Self.planeFrames) }
    var silence = Int(rubberband_get_preferred_start_pad(state))
    while silence > 0 {
      let count = min(silence, Self.planeFrames)
      process(count, isFinal: false)
      silence -= count
    }
  }

  deinit {
    rubberband_delete(state)
    for plane in planes { plane.deallocate() }
  }

  private func process(_ count: Int, isFinal: Bool) {
    let pointers = planes.map { UnsafePointer<Float>?($0) }
    pointers.withUnsafeBufferPointer {
      rubberband_process(state, $0.baseAddress, UInt32(count), isFinal ? 1 : 0)
    }
  }

  func push(_ frames: UnsafePointer<Float>, frameCount: Int) {
    var done = 0
    while done < frameCount {
      let count = min(Self.planeFrames, frameCount - done)
      for (channel, plane) in planes.enumerated() {
        let source = frames + done * channelCount + channel
        for i in 0..<count { plane[i] = source[i * channelCount] }
      }
      process(count, isFinal: false)
      done += count
    }
  }

  func end() { process(0, isFinal: true) }

  func pull(into frames: UnsafeMutablePointer<Float>, frameCount: Int) -> Int {
    while delay > 0, case let count = retrieve(min(delay, Self.planeFrames)), count > 0 {
      delay -= count
    }
    guard delay == 0 else { return 0 }
    let count = retrieve(min(frameCount, Self.planeFrames))
    for (channel, plane) in planes.enumerated() {
      for i in 0..<count { frames[i * channelCount + channel] = plane[i] }
    }
    return count
  }

  private func retrieve(_ count: Int) -> Int {
    // -1 at the end.
    let available = min(count, Int(rubberband_available(state)))
    guard available > 0 else { return 0 }
    let pointers = planes.map { UnsafeMutablePointer<Float>?($0) }
    return pointers.withUnsafeBufferPointer {
      Int(rubberband_retrieve(state, $0.baseAddress, UInt32(available)))
    }
  }
}
