// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import PulseAudio

/// What a sink plays, as its monitor gives it, with the time at which each chunk arrived.
///
/// A frame's time is its chunk's arrival: never earlier, though the first frames of a chunk were
/// rendered before the last.
final class MonitorRecording: @unchecked Sendable {
  /// Frames that arrived together.
  struct Chunk {
    let firstFrame: Int
    let count: Int
    /// Nanoseconds of `HostTime`.
    let hostTime: UInt64
  }

  // @unchecked: everything mutable is touched only between wait and signal of `semaphore`.
  /// What the server was asked to collect.
  let fragmentMilliseconds: Int
  /// Whether the sink may not be suspended.
  let keepsAwake: Bool
  private let semaphore = DispatchSemaphore(value: 1)
  private let arrived = DispatchSemaphore(value: 0)
  private var samples: [Float] = []
  private var chunks: [Chunk] = []
  /// The frame that `samples` begins with.
  private var begin = 0
  private var failure: PulseError?
  private var stream: RecordingStream?
  private var blocks: [Int] = []

  /// Starts to record a sink.
  ///
  /// `fragment` is what the server is asked to collect before it sends, in milliseconds; it sets
  /// the sink's block, too. With `keepsAwake` the sink is not suspended meanwhile.
  ///
  /// - Throws: where there is no such sink.
  init(
    sink: String, of server: HeadlessServer, fragment: Int, keepsAwake: Bool = true
  ) throws(PulseError) {
    (fragmentMilliseconds, self.keepsAwake) = (fragment, keepsAwake)
    stream = try RecordingStream(
      connection: server.connect(), source: sink + ".monitor", format: HeadlessServer.format,
      fragment: .milliseconds(fragment), mediaName: "latency", keepsAwake: keepsAwake,
      onFailure: { [weak self] error in
        guard let self else { return }
        semaphore.withLock { failure = error }
        arrived.signal()
      },
      receiver: { [weak self] in self?.received($0, $1, $2) })
  }

  private func received(_ data: UnsafePointer<Float>?, _ frames: Int, _ hostTime: UInt64) {
    semaphore.withLock {
      let first = begin + samples.count / 2
      if let data {
        samples.append(contentsOf: UnsafeBufferPointer(start: data, count: 2 * frames))
      } else {
        samples.append(contentsOf: repeatElement(0, count: 2 * frames))
      }
      // What is read at one time is one chunk, though the server may cut it.
      if let last = chunks.last, last.hostTime == hostTime {
        chunks[chunks.count - 1] = Chunk(
          firstFrame: last.firstFrame, count: last.count + frames, hostTime: hostTime)
      } else {
        if let last = chunks.last { blocks.append(last.count) }
        chunks.append(Chunk(firstFrame: first, count: frames, hostTime: hostTime))
      }
    }
    arrived.signal()
  }

  /// Frames recorded so far.
  var frameCount: Int { semaphore.withLock { begin + samples.count / 2 } }

  /// The median chunk: the block that the sink renders in.
  var block: Int { semaphore.withLock { blocks.isEmpty ? 0 : blocks.sorted()[blocks.count / 2] } }

  /// When `frame`, which must have been recorded and not forgotten, arrived.
  func hostTime(ofFrame frame: Int) -> UInt64 {
    semaphore.withLock {
      let chunk = chunks.first { $0.firstFrame + $0.count > frame }
      precondition(chunk != nil, "frame \(frame) of \(begin + samples.count / 2)")
      return chunk!.hostTime
    }
  }

  /// Lets go of everything before `frame`.
  func forget(before frame: Int) {
    semaphore.withLock {
      let count = min(max(0, frame - begin), samples.count / 2)
      samples.removeFirst(2 * count)
      begin += count
      chunks.removeAll { $0.firstFrame + $0.count <= begin }
    }
  }

  /// Waits until more than `frame` frames are recorded.
  ///
  /// - Returns: false after `milliseconds` in which nothing arrived.
  /// - Throws: where the recording has ended.
  func wait(beyond frame: Int, milliseconds: Int) throws -> Bool {
    while true {
      let (count, failure) = semaphore.withLock { (begin + samples.count / 2, self.failure) }
      if let failure { throw failure }
      if count > frame { return true }
      guard arrived.wait(timeout: .now() + .milliseconds(milliseconds)) == .success else {
        return false
      }
    }
  }

  /// The frames from `frame` on.
  func frames(from frame: Int) -> [SoundFrame] {
    semaphore.withLock {
      let first = 2 * (frame - begin)
      precondition(first >= 0, "frame \(frame) is forgotten, \(begin) is the first")
      return stride(from: first, to: samples.count, by: 2).map {
        SoundFrame(left: samples[$0], right: samples[$0 + 1])
      }
    }
  }

  /// Ends it.
  func stop() {
    stream?.close()
    stream = nil
  }
}
