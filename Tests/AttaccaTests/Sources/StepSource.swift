// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import Synchronization

/// A mono ramp at 48 kHz, a source of the test's own, that does something else at one frame.
struct StepSource: AudioSource {
  struct Failure: Error, Equatable { let number: Int }

  enum Step: Sendable {
    case none
    /// There is no frame from here on for as long as `condition` does not hold.
    case waiting(reason: String, until: @Sendable () -> Bool)
    case throwing(Failure)
    /// No answer before `cancel`.
    case hanging
    /// An answer that no reader may give.
    case answering(Int)
  }

  static let format = AudioFormat(sampleRate: 48_000, layout: .mono)
  static func sample(_ frame: Int64) -> Float { Float(frame + 1) / 65_536 }
  static func samples(_ frames: Range<Int64>) -> [Float] { frames.map(sample) }

  let name: String
  let frameCount: Int64
  var place: Int64 = .max
  var step = Step.none
  /// Thrown by `open`.
  var refusal: Failure?
  /// Counts calls of `cancel`.
  let cancelled = Cancelled()

  final class Cancelled: Sendable {
    let count = Atomic<Int>(0)
    let semaphore = DispatchSemaphore(value: 0)
  }

  func open() async throws -> sending any AudioSourceReader {
    if let refusal { throw refusal }
    return Reader(source: self)
  }

  private final class Reader: AudioSourceReader {
    let format = StepSource.format
    let frameCount: Int64?
    let tags: Tags
    private let source: StepSource
    private var position: Int64 = 0

    init(source: StepSource) {
      self.source = source
      frameCount = source.frameCount
      var tags = Tags()
      tags.title = source.name
      self.tags = tags
    }

    func seek(to frame: Int64) { position = min(frame, source.frameCount) }

    func read(into samples: UnsafeMutableBufferPointer<Float>) throws -> AudioRead {
      var end = min(position + Int64(samples.count), source.frameCount)
      if position >= source.place {
        switch source.step {
        case .none: break
        case .waiting(let reason, let condition):
          guard condition() else { return .wait(SourceWait(reason, askAfterMilliseconds: 5)) }
        case .throwing(let failure): throw failure
        case .hanging:
          source.cancelled.semaphore.wait()
          throw CancellationError()
        case .answering(let count): return .frames(count)
        }
      } else {
        end = min(end, source.place)
      }
      guard position < end else { return .end }
      for frame in position..<end { samples[Int(frame - position)] = StepSource.sample(frame) }
      let count = Int(end - position)
      position = end
      return .frames(count)
    }

    func cancel() {
      source.cancelled.count.add(1, ordering: .relaxed)
      source.cancelled.semaphore.signal()
    }
  }
}
