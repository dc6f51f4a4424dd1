// SPDX-License-Identifier: Apache-2.0

import Glibc
import SoundFiles

/// One reader's bytes of a download; for one thread at a time, but for `interrupt`.
final class DownloadBytes: RemoteBytes {
  private let download: Download
  private let id: Int
  private let handover: FrameHandover
  private let isOwner: Bool
  /// Bytes of a broadcast that have been left out.
  private var shift: Int64 = 0
  /// Reason for which a read failed, in more words than its `errno`.
  private(set) var failure: SoundFileError?
  /// A read was given up: who decodes may have kept that to itself, and is in no state to go on.
  private(set) var wasInterrupted = false

  /// Bytes that are read for `handover`, which is told of waits, and says when they end.
  ///
  /// The reader ends with it if it is its owner.
  init(_ download: Download, _ id: Int, for handover: FrameHandover, isOwner: Bool = false) {
    (self.download, self.id, self.handover, self.isOwner) = (download, id, handover, isOwner)
  }

  deinit { if isOwner { download.removeReader(id) } }

  /// Returns the byte's place in the download that the decoder takes for the one at `offset`.
  func place(of offset: Int64) -> Int64 { offset + shift }

  /// Begins with what is broadcast now, which is the decoder's first byte.
  func startLive() { shift = download.goLive(id) }

  var size: Int64? { download.size }
  var isSequential: Bool { download.standing.isSequential }

  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      // A broadcast goes on where it is, whoever seeks.
      guard !(download.isLive ? handover.isCancelled : handover.isInterrupted) else {
        wasInterrupted = true
        return -Int(ECANCELED)
      }
      if handover.takeLeap() { shift = download.goLive(id) - offset }
      switch download.read(id, at: place(of: offset), into: buffer) {
      case .bytes(let count): return count
      case .end: return 0
      case .failed(let error):
        failure = error
        return -Int(EIO)
      case .nothing:
        handover.setBlocked(true)
        download.wait(id)
        handover.setBlocked(false)
      }
    }
  }
}
