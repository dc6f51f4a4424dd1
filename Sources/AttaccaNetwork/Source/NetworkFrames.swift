// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import MediaTime
import Preconditions
import SampleBuffers
import SoundFiles

/// The frames of a file on a network, decoded on a thread of their own, which may wait for bytes.
final class NetworkFrames: FrameSource {
  private let source: HTTPSource
  private let pool: FramePool
  private let handover = FrameHandover()
  private let wake: Wake
  /// The next frame to be read.
  private var position: Int64 = 0
  private var changes: [TagChange] = []
  private var pauses = ReadingPauses()
  private let now: () -> UInt64
  /// Of the frames that were read last.
  private var presentFormat: AudioFormat?

  /// The download that is to be looked at again, once there is one.
  final class Wake: @unchecked Sendable {
    // @unchecked: touched only between wait and signal of `semaphore`.
    private let semaphore = DispatchSemaphore(value: 1)
    private var reader: (Download, Int)?

    func set(_ download: Download, _ id: Int) { semaphore.withLock { reader = (download, id) } }

    func callAsFunction() {
      let reader = semaphore.withLock { self.reader }
      if let (download, id) = reader { download.wake(id) }
    }
  }

  /// Frames of `source`, whose pauses are measured by `now`.
  init(
    _ source: HTTPSource, pool: FramePool, now: @escaping () -> UInt64 = { HostTime.now() }
  ) {
    (self.source, self.pool, self.now, wake) = (source, pool, now, Wake())
  }

  deinit { cancel() }

  /// The address for people.
  var name: String { source.name }

  /// Does what `cancel` does, from any thread.
  var cancelHandle: @Sendable () -> Void {
    { [handover, wake] in
      handover.cancel()
      wake()
    }
  }

  func open() throws {
    let (source, handover, wake) = (source, handover, wake)
    NamedThread.start("attacca-network", stackSize: 1 << 20) {
      NetworkDecoding(source, handover, wake).run()
    }
    presentFormat = try handover.opened().format
  }

  private var known: FrameHandover.Opened? { handover.known }

  var format: AudioFormat {
    guard let presentFormat else { trap("a source is read that is not open") }
    return presentFormat
  }

  var frameCount: Int64? { known?.frameCount }
  var tags: Tags { known?.tags ?? Tags() }
  var chapters: [Chapter] { known?.chapters ?? [] }
  var truncation: SoundFileError? { known?.truncation }

  func seek(to frame: Int64) throws {
    handover.seek(to: frame)
    (position, changes) = (frame, [])
    wake()
  }

  func read(frames: Int) throws -> Chunk? {
    let hasPaused = pauses.read(at: now())
    if hasPaused, source.options.livePolicy == .goesOnLive, source.isBroadcast == true {
      handover.leap()
    }
    guard let pieces = try take(frames), let first = pieces.first else { return nil }
    let count = pieces.reduce(0) { $0 + $1.count }
    let channels = first.format.channelCount
    let storage = pool.take(samples: count * channels)
    var filled = 0
    for piece in pieces {
      if let tags = piece.tags {
        changes.append(TagChange(frame: position + Int64(filled), tags: tags))
      }
      (storage.samples + filled * channels).update(
        from: piece.storage.samples + piece.first * channels, count: piece.count * channels)
      filled += piece.count
    }
    presentFormat = first.format
    position += Int64(count)
    return Chunk(storage: storage, frameCount: count, format: first.format)
  }

  private func take(_ frames: Int) throws -> [HandoverState.Piece]? {
    do {
      return try handover.take(frames)
    } catch let wait as SourceIsWaiting {
      pauses.waited(at: now())
      throw wait
    }
  }

  func takeTagChanges() -> [TagChange] {
    defer { changes = [] }
    return changes
  }

  func cancel() { cancelHandle() }
}
