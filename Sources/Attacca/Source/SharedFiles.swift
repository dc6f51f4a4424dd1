// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import SampleBuffers
import SoundFiles

/// One file, opened once or twice, for any number of readers that each have a position.
final class SharedFiles: @unchecked Sendable {
  /// Times that the file is open at once: two items that overlap are read in turn.
  static let most = 2

  /// Format, length and tags of the file by its headers; constant.
  struct Header {
    let format: AudioFormat
    let fileFormat: FileFormat
    let frameCount: Int64?
    let lengthSearch: LengthSearch?
    let tags: Tags
    let chapters: [Chapter]
    let canBeReadInParts: Bool
  }

  /// The file, open once.
  private final class Handle {
    let file: SoundFile
    /// Its next frame.
    var position: Int64 = 0
    /// The reader that has read from the handle last; nil where that has been closed.
    var owner: ObjectIdentifier?
    var isBusy = false
    init(_ file: SoundFile) { self.file = file }
  }

  let path: BytePath
  // @unchecked: all below is touched only between wait and signal of `semaphore`, a handle by who has it busy.
  private let semaphore = DispatchSemaphore(value: 1)
  private var handles: [Handle] = []
  private var opening = 0
  private var header: Header?
  private var readers = 0
  private var waiting: [DispatchSemaphore] = []
  private static let closing = DispatchQueue(label: "attacca.close")

  init(_ path: BytePath) { self.path = path }

  /// A reader comes.
  func join() { semaphore.withLock { readers += 1 } }

  /// A reader goes; ten seconds behind the last one the file is closed, as a machine under load may be late with the next.
  func leave(_ reader: ObjectIdentifier) {
    let isLast = semaphore.withLock {
      for handle in handles where handle.owner == reader { handle.owner = nil }
      readers -= 1
      return readers == 0
    }
    if isLast { closeLater() }
  }

  private func closeLater() {
    Self.closing.asyncAfter(deadline: .now() + 10) { [weak self] in
      // Closing a file may take its time.
      let closed = self?.semaphore.withLock { [self] () -> [Handle] in
        guard let self, readers == 0 else { return [] }
        let idle = handles.filter { !$0.isBusy }
        handles.removeAll { !$0.isBusy }
        return idle
      }
      withExtendedLifetime(closed) {}
    }
  }

  /// The file's headers, read if they have not been.
  func header(pool: FramePool) throws(SoundFileError) -> Header {
    if let header = semaphore.withLock({ header }) { return header }
    let handle = try take(0, for: nil, pool: pool)
    give(handle)
    if semaphore.withLock({ readers == 0 }) { closeLater() }
    return semaphore.withLock { header! }  // Set by the first that opens it.
  }

  /// The next frames from `position` on; at the end nil, and why it came early if it did.
  func read(
    _ frames: Int, at position: Int64, for reader: ObjectIdentifier, pool: FramePool
  ) throws(SoundFileError) -> (Chunk?, SoundFileError?) {
    let handle = try take(position, for: reader, pool: pool)
    defer { give(handle) }
    if handle.position != position { try handle.file.seek(to: position) }
    // Where reading fails the place is not known.
    handle.position = -1
    let chunk = try handle.file.read(frames: frames)
    handle.position = position + Int64(chunk?.frameCount ?? 0)
    return (chunk, chunk == nil ? handle.file.truncation : nil)
  }

  private enum Taking {
    case handle(Handle), open, wait(DispatchSemaphore)
  }

  private func take(
    _ position: Int64, for reader: ObjectIdentifier?, pool: FramePool
  ) throws(SoundFileError) -> Handle {
    while true {
      switch semaphore.withLock({ decide(position, reader) }) {
      case .handle(let handle): return handle
      case .wait(let news): news.wait()
      case .open:
        do throws(SoundFileError) {
          let handle = Handle(try SoundFile(path: path, pool: pool))
          semaphore.withLock { add(handle, for: reader) }
          return handle
        } catch {
          semaphore.withLock {
            opening -= 1
            tell()
          }
          throw error
        }
      }
    }
  }

  /// Whoever reads on comes first, then who reads something else; with the semaphore held.
  private func decide(_ position: Int64, _ reader: ObjectIdentifier?) -> Taking {
    let idle = handles.filter { !$0.isBusy }
    let mine = reader.flatMap { reader in idle.first { $0.owner == reader } }
    let found =
      (mine?.position == position ? mine : nil) ?? idle.first { $0.position == position }
      ?? mine ?? idle.first { $0.owner == nil }
    if let found { return .handle(taken(found, reader)) }
    if handles.count + opening < Self.most {
      opening += 1
      return .open
    }
    if let any = idle.first { return .handle(taken(any, reader)) }
    let news = DispatchSemaphore(value: 0)
    waiting.append(news)
    return .wait(news)
  }

  private func taken(_ handle: Handle, _ reader: ObjectIdentifier?) -> Handle {
    (handle.isBusy, handle.owner) = (true, reader)
    return handle
  }

  private func add(_ handle: Handle, for reader: ObjectIdentifier?) {
    opening -= 1
    handles.append(taken(handle, reader))
    guard header == nil else { return }
    let file = handle.file
    header = Header(
      format: file.format, fileFormat: file.fileFormat, frameCount: file.frameCount,
      lengthSearch: file.lengthSearch, tags: file.tags, chapters: file.chapters,
      canBeReadInParts: (file as any FrameSource).canBeReadInParts)
  }

  private func give(_ handle: Handle) {
    semaphore.withLock {
      handle.isBusy = false
      tell()
    }
  }

  private func tell() {
    for news in waiting { news.signal() }
    waiting = []
  }
}
