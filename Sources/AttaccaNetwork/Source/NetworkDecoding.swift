// SPDX-License-Identifier: Apache-2.0

import Attacca
import SampleBuffers
import SoundFiles

/// The thread that decodes one file on a network for one reader.
struct NetworkDecoding {
  private let source: HTTPSource
  private let handover: FrameHandover
  private let wake: NetworkFrames.Wake

  /// Frames that are decoded at once: what a stall comes behind is handed over before it.
  private static let step = 4_608
  /// The same of a broadcast, whose titles begin with a packet.
  private static let liveStep = 1_152

  init(_ source: HTTPSource, _ handover: FrameHandover, _ wake: NetworkFrames.Wake) {
    (self.source, self.handover, self.wake) = (source, handover, wake)
  }

  /// Decodes until nobody reads any more.
  func run() {
    do throws(SoundFileError) {
      let download = try source.download()
      let id = download.addReader()
      defer { download.removeReader(id) }
      wake.set(download, id)
      _ = try download.answer(for: id) { handover.isInterrupted }
      if HLSDecoding.takes(DownloadBytes(download, id, for: handover)) {
        try HLSDecoding(source, HLSLoad(download), handover, wake).run()
      } else {
        try work(on: download, id)
      }
    } catch {
      handover.open(.failure(error))
    }
  }

  private func work(on download: Download, _ id: Int) throws(SoundFileError) {
    let pool = FramePool()
    func open(again: Bool) throws(SoundFileError) -> (SoundFile, DownloadBytes) {
      let bytes = DownloadBytes(download, id, for: handover)
      // The beginning of a broadcast has been given up, or has been heard.
      if again, download.isLive { bytes.startLive() }
      do throws(SoundFileError) {
        return (try SoundFile(bytes, name: source.name, pool: pool), bytes)
      } catch {
        throw bytes.failure ?? source.explained(error, download)
      }
    }
    let first = try open(again: false)
    handover.open(.success(description(of: first.0, first.0.tags, download)))
    var opened: (file: SoundFile, bytes: DownloadBytes)? = first
    let isLive = download.standing.isLive
    var (titles, pace) = (TitleFollower(of: first.0, isLive: isLive), LoadingPace())
    var isPlaying = false
    while true {
      let task = handover.nextTask()
      // Whoever is not wanted any more opens nothing.
      if case .end = task { return }
      do throws(SoundFileError) {
        if opened == nil { opened = try open(again: true) }
        guard let (file, bytes) = opened else { return }
        switch task {
        case .end: return
        case .rest: continue
        case .seek(let frame, _):
          // What has been broadcast does not come again: whoever seeks there goes on with what does.
          if !isLive { try file.seek(to: frame) }
          pace.isStraight = false
          if bytes.wasInterrupted { opened = nil }
        case .decode(let turn):
          // What is only open ahead is not to take the line from what plays.
          if !isPlaying, handover.isRead {
            isPlaying = true
            download.play(id)
          }
          let chunk = try file.read(frames: isLive ? Self.liveStep : Self.step)
          guard !bytes.wasInterrupted else {
            // Another seek is what comes next.
            opened = nil
            continue
          }
          let tags = titles.follow(download, to: bytes.place(of: file.consumedBytes), in: file)
          handover.update(description(of: file, titles.tags ?? file.tags, download))
          guard let chunk else {
            handover.end(nil, turn: turn)
            continue
          }
          pace.note(chunk, of: file)
          if let rate = pace.bytesPerSecond(of: file, size: download.size) {
            download.setPace(rate)
          }
          handover.put(chunk, 0..<chunk.frameCount, tags, turn: turn)
        }
      } catch {
        let failure = opened?.bytes.failure ?? error
        // A decoder that was interrupted in the midst is in no state to go on.
        opened = nil
        switch task {
        case .seek(_, let turn), .decode(let turn): handover.end(failure, turn: turn)
        case .end, .rest: break
        }
      }
    }
  }

  private func description(
    of file: SoundFile, _ tags: Tags, _ download: Download
  ) -> FrameHandover.Opened {
    FrameHandover.Opened(
      format: file.format, frameCount: file.frameCount, tags: tags,
      chapters: file.chapters,
      truncation: file.truncation ?? download.standing.truncation)
  }
}
