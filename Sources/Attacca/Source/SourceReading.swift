// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Preconditions
import Rendering
import SampleBuffers
import SoundFiles

/// A source as the serializer reads it.
///
/// A read that finds the source waiting throws `SourceIsWaiting`, and may be repeated.
final class SourceReading: FrameSource, @unchecked Sendable {
  // @unchecked: `task` and `isCancelled` are touched only between wait and signal of `semaphore`, `reader` is
  // set before anything is read, by the thread that reads.
  private let source: any AudioSource
  private let pool: FramePool
  private let semaphore = DispatchSemaphore(value: 1)
  private var task: Task<Void, Never>?
  private var isCancelled = false
  private var reader: (any AudioSourceReader)?

  init(_ source: any AudioSource, pool: FramePool) { (self.source, self.pool) = (source, pool) }

  /// The answer that a task leaves for the thread that waits.
  private final class Answer: @unchecked Sendable {
    // @unchecked: written before `isThere` is signalled, read behind the wait for it.
    let isThere = DispatchSemaphore(value: 0)
    var result: Result<any AudioSourceReader, any Error>?
  }

  func open() throws {
    let answer = Answer()
    let task = Task.detached(executorPreference: SourceExecutor()) { [source] in
      do {
        answer.result = .success(try await source.open())
      } catch {
        answer.result = .failure(error)
      }
      answer.isThere.signal()
    }
    semaphore.withLock {
      self.task = task
      if isCancelled { task.cancel() }
    }
    answer.isThere.wait()
    let reader = try answer.result!.get()
    guard reader.format.sampleRate >= AudioFormat.lowestSourceRate else {
      throw misbehaviour("open", "a sample rate of \(reader.format.sampleRate) Hz")
    }
    let isUnwanted = semaphore.withLock {
      self.task = nil
      self.reader = reader
      return isCancelled
    }
    if isUnwanted { reader.cancel() }
  }

  private var opened: any AudioSourceReader {
    guard let reader else { trap("a source is read that is not open") }
    return reader
  }

  var format: AudioFormat { opened.format }
  var frameCount: Int64? { opened.frameCount }
  var tags: Tags { opened.tags }
  var chapters: [Chapter] { opened.chapters }
  var truncation: SoundFileError? { nil }
  var canBeReadInParts: Bool { opened.canBeReadInParts && opened.frameCount != nil }

  func seek(to frame: Int64) throws { try opened.seek(to: frame) }

  func read(frames: Int) throws -> Chunk? {
    let format = format
    let storage = pool.take(samples: frames * format.channelCount)
    let samples = UnsafeMutableBufferPointer(
      start: storage.samples, count: frames * format.channelCount)
    switch try opened.read(into: samples) {
    case .wait(let wait): throw SourceIsWaiting(wait: wait)
    case .end: return nil
    case .frames(let count):
      guard 1...frames ~= count else {
        throw misbehaviour("read", "\(count) frames where 1 to \(frames) were asked for")
      }
      // In the filter of a rate converter one of them would silence what follows.
      for i in 0..<(count * format.channelCount) where !samples[i].isFinite { samples[i] = 0 }
      return Chunk(storage: storage, frameCount: count, format: format)
    }
  }

  func cancel() {
    let (task, reader) = semaphore.withLock {
      isCancelled = true
      return (self.task, self.reader)
    }
    task?.cancel()
    reader?.cancel()
  }

  private func misbehaviour(_ call: String, _ cause: String) -> SoundFileError {
    SoundFileError(.broken, path: source.name, call: call, cause: cause)
  }
}
