// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaLoudness
import AttaccaNetwork
import Dispatch
import Glibc

/// Measures files on all cores, and writes what was measured.
final class LoudnessScan: @unchecked Sendable {
  // @unchecked: rows and meters are touched only between wait and signal of `semaphore`.
  private let byAlbum: Bool
  private let writes: Bool
  private let semaphore = DispatchSemaphore(value: 1)
  private var rows: [LoudnessRow]
  /// Of what is to be measured or written together with others.
  private var files: [Int: FileLoudness] = [:]
  /// The first row that has not been told.
  private var told = 0
  /// Rows that wait for those before them.
  private var finished: Set<Int> = []
  private let progress: LoudnessProgress

  init(_ entries: [PlaylistFile.Entry], byAlbum: Bool, writes: Bool) {
    rows = entries.map { LoudnessRow($0) }
    (self.byAlbum, self.writes) = (byAlbum, writes)
    progress = LoudnessProgress(fileCount: entries.count)
  }

  /// Blocks until all is done, or a signal asked for the end; `tell` is given the rows in order, as soon as they are known.
  func run(_ tell: @escaping @Sendable (LoudnessRow) -> Void) -> LoudnessReport {
    DispatchQueue.concurrentPerform(iterations: rows.count) { index in
      guard !progress.isInterrupted else { return }
      measure(index)
      if writes, !byAlbum { write(index, album: nil) }
      progress.finishedFile()
      if !writes || !byAlbum { finish(index, tell) }
    }
    let albums = byAlbum && !progress.isInterrupted ? findAlbums() : []
    if writes, byAlbum {
      let values = Dictionary(
        uniqueKeysWithValues: albums.map { ($0.key, $0.measured.replayGain) })
      DispatchQueue.concurrentPerform(iterations: rows.count) { index in
        guard !progress.isInterrupted else { return }
        let key = semaphore.withLock { rows[index].album }
        write(index, album: key.flatMap { values[$0] ?? nil })
        finish(index, tell)
      }
    }
    progress.end()
    return LoudnessReport(rows: rows, albums: albums, isInterrupted: progress.isInterrupted)
  }

  private func entry(_ index: Int) -> PlaylistFile.Entry {
    semaphore.withLock { rows[index].entry }
  }

  private func complain(_ index: Int, _ text: String) {
    semaphore.withLock { rows[index].complaints.append(text) }
  }

  private func measure(_ index: Int) {
    let entry = entry(index)
    guard NetworkAddress(entry.path) == nil else {
      return complain(index, "\(entry.path): only files are measured: download it")
    }
    do throws(SoundFileError) {
      let progress = progress
      let file = try StallTimeout.wait(for: entry.path.text) { timeout throws(SoundFileError) in
        try FileLoudness(path: entry.path, from: entry.start, to: entry.end) { seconds in
          timeout.madeProgress()
          return progress.measured(seconds)
        }
      }
      guard let file else { return }
      semaphore.withLock {
        rows[index].measured = file.measured
        if byAlbum { rows[index].album = LoudnessAlbum.Key(file.tags, at: entry.path) }
        if let truncation = file.truncation {
          rows[index].complaints.append(ErrorText.of(truncation))
        }
        if byAlbum || writes { files[index] = file }
      }
    } catch {
      complain(index, ErrorText.of(error))
    }
  }

  private func write(_ index: Int, album: ReplayGain.Value?) {
    let (row, file) = semaphore.withLock { (rows[index], files.removeValue(forKey: index)) }
    guard let file, row.complaints.isEmpty else { return }
    guard !row.entry.isClip else {
      return complain(
        index, "\(row.entry.path): not written: a part of a file has no tags of its own")
    }
    guard let track = file.measured.replayGain else {
      return complain(index, "\(row.entry.path): not written: silent, or shorter than 0.4 s")
    }
    do throws(SoundFileError) {
      let progress = progress
      let isWritten = try StallTimeout.wait(for: row.entry.path.text) {
        timeout throws(SoundFileError) in
        try LoudnessTags.write(
          ReplayGain(track: track, album: album), to: row.entry.path, decodingTo: file.digest
        ) { _ in
          timeout.madeProgress()
          return !progress.isInterrupted
        }
      }
      semaphore.withLock { rows[index].isWritten = isWritten }
    } catch {
      complain(index, ErrorText.of(error))
    }
  }

  /// Nothing more becomes of a row: it is told, once those before it have been.
  private func finish(_ index: Int, _ tell: (LoudnessRow) -> Void) {
    semaphore.withLock {
      finished.insert(index)
      while finished.remove(told) != nil {
        progress.clear()
        tell(rows[told])
        told += 1
      }
    }
  }

  private func findAlbums() -> [LoudnessAlbum] {
    semaphore.withLock {
      var members: [LoudnessAlbum.Key: [LoudnessMeter]] = [:]
      var order: [LoudnessAlbum.Key] = []
      for (row, index) in zip(rows, rows.indices) {
        guard let key = row.album, let file = files[index] else { continue }
        if members[key] == nil { order.append(key) }
        members[key, default: []].append(file.meter)
      }
      return order.map { key in
        let meters = members[key] ?? []
        return LoudnessAlbum(
          key: key, measured: LoudnessMeter.measured(together: meters), fileCount: meters.count)
      }
    }
  }
}
