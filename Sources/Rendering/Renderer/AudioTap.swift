// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import SampleBuffers

/// The frames that a renderer's output has been given and the listeners to what of them is heard, while
/// there are any.
final class AudioTap: @unchecked Sendable {
  // @unchecked: what is mutable is touched only with the output's lock held.
  let listeners: EventSource<TappedAudio>
  let format: AudioFormat
  var recorder: TapRecorder
  /// Calls `tell`; nil of an output that is pulled.
  private let timer: (any DispatchSourceTimer)?
  private var isTicking = false

  /// Time after which what has been heard is told again.
  static let interval = 20  // milliseconds
  /// Buffers that may wait for a reader: 10 s.
  static let limit = 500

  /// A tap of an output of `format` that holds up to `length` frames; `tell` is called as it plays.
  init(
    format: AudioFormat, length: Int64, isPulled: Bool,
    listeners: EventSource<TappedAudio> = EventSource(limit: AudioTap.limit),
    tell: @escaping @Sendable () -> Void
  ) {
    (self.format, self.listeners) = (format, listeners)
    // And two seconds in which nobody asks.
    recorder = TapRecorder(
      channelCount: format.channelCount, capacity: Int(length) + 2 * format.sampleRate,
      reach: format.sampleRate / 10)
    guard !isPulled else {
      timer = nil
      return
    }
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "attacca.tap"))
    timer.setEventHandler(handler: tell)
    timer.activate()
    self.timer = timer
  }

  deinit { timer?.cancel() }

  /// Has what is heard told from now on.
  func tick() {
    guard let timer, !isTicking else { return }
    isTicking = true
    timer.schedule(
      deadline: .now() + .milliseconds(Self.interval), repeating: .milliseconds(Self.interval),
      leeway: .milliseconds(2))
  }

  /// Tells the listeners what was heard before stream frame `heard`, each frame at its host time.
  func tell(before heard: StreamFrame, at hostTime: (StreamFrame) -> UInt64?) {
    while let (stretch, storage) = recorder.take(before: heard, atMost: format.sampleRate / 10) {
      let (piece, frames) = (stretch.piece, stretch.frames)
      let speed = piece.isRunning ? Double(format.sampleRate) / Double(piece.rate) : 0
      listeners.send(
        TappedAudio(
          buffer: SampleBuffer(
            storage: storage, format: format, frameCount: frames.count, time: stretch.time),
          rate: piece.isReversed ? -speed : speed,
          hostTime: hostTime(frames.lowerBound)))
    }
  }

  /// Nothing more is heard, until the next `tick()`.
  func rest() {
    guard let timer, isTicking else { return }
    isTicking = false
    timer.schedule(deadline: .distantFuture)
  }
}

extension AudioOutput {
  /// Stream frame before which all has been heard, and nothing is replaced any more.
  ///
  /// The clock is an estimate, up to 10 ms ahead on PipeWire, and a rewrite is known to have come late only
  /// when the server has answered: so what was heard is told 50 ms later, where there is a device.
  var tellableFrame: StreamFrame {
    let heard = heardFrame
    let isMoving = clock.hostTime(ofFrame: heard) != nil
    return clock.isExact || !isMoving ? heard : heard - Int64(format.sampleRate / 20)
  }
}
