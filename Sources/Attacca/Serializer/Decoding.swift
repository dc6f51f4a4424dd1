// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import SampleBuffers
import SoundFiles

/// The decoder thread of a serializer, and the watch over it.
///
/// Everything but `steps` themselves runs on the serializer's queue.
final class Decoding: @unchecked Sendable {
  typealias Opener = @Sendable (String) throws(SoundFileError) -> any FrameSource

  /// A decoder that makes no progress for so long is given up on.
  let patience: Double
  /// An item that follows is given up on so long before what plays runs out.
  static let reserve = 0.25
  /// Threads that may be left hanging.
  static let abandonedLimit = 4

  // @unchecked: mutable state is touched only on the serializer's queue.
  private let open: Opener
  private var thread: DecoderThread?
  private var stepNumber = 0
  private(set) var abandoned = 0
  private var watch: (any DispatchSourceTimer)?
  private weak var serializer: SampleBufferSerializer?

  /// A decoder of files.
  convenience init() {
    let pool = FramePool()
    self.init { (path: String) throws(SoundFileError) in try SoundFile(path: path, pool: pool) }
  }

  /// `open` opens a path; `patience` is in seconds.
  init(patience: Double = 5, open: @escaping Opener) {
    (self.patience, self.open) = (patience, open)
  }

  func attach(_ serializer: SampleBufferSerializer) { self.serializer = serializer }

  /// Whether a step is under way.
  private(set) var isBusy = false

  /// Carries out `step` on the decoder thread and hands its outcome to `done` on the queue; to
  /// `gaveUp` instead when it takes longer than `limit` seconds.
  func run(
    _ step: DecodeStep, limit: Double,
    done: @escaping @Sendable (DecodeStep.Outcome) -> Void,
    gaveUp: @escaping @Sendable (_ seconds: Double) -> Void
  ) {
    precondition(!isBusy, "two decode steps at once")
    isBusy = true
    stepNumber += 1
    let number = stepNumber
    let thread = self.thread ?? DecoderThread()
    self.thread = thread
    let (open, queue) = (self.open, serializer?.queue)
    thread.perform { [weak self] in
      let outcome = step.run(open: open)
      queue?.async { [weak self] in
        guard let self, self.stepNumber == number, self.isBusy else { return }
        self.isBusy = false
        done(outcome)
      }
    }
    arm(limit, number, gaveUp)
  }

  /// One timer for all steps: set anew for each, it fires only when one hangs.
  private func arm(_ limit: Double, _ number: Int, _ gaveUp: @escaping @Sendable (Double) -> Void) {
    if watch == nil, let queue = serializer?.queue {
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.setEventHandler {}
      timer.resume()
      watch = timer
    }
    watch?.setEventHandler { [weak self] in
      guard let self, self.stepNumber == number, self.isBusy else { return }
      self.isBusy = false
      self.stepNumber += 1
      self.abandoned += 1
      self.thread = nil
      gaveUp(limit)
    }
    watch?.schedule(deadline: .now() + limit)
  }

  func end() {
    watch?.cancel()
    thread?.end()
  }
}
