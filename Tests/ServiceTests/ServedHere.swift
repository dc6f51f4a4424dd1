// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import Foundation
import SoundFiles
import Synchronization
import TestFixtures

@testable import AttaccaService

/// A service without sockets, whose frames are pulled by hand.
final class ServedHere {
  let folder: TemporaryFolder
  let renderer = OfflineRenderer(format: AudioFormat(sampleRate: 44_100, channelCount: 1))
  let server: MusicServer
  let keeper: StateKeeper
  let queue = DispatchQueue(label: "test.service")
  private let client: ServedClient
  private let output = Output()
  /// What the keeper has told: errors, and nil where all is kept again.
  let notices = Notices()

  /// What has been told, on any thread.
  final class Notices: @unchecked Sendable {
    private let semaphore = DispatchSemaphore(value: 1)
    private var errors: [StoreError?] = []

    func add(_ error: StoreError?) {
      semaphore.wait()
      errors.append(error)
      semaphore.signal()
    }

    var all: [StoreError?] {
      semaphore.wait()
      defer { semaphore.signal() }
      return errors
    }
  }

  /// What a client has been sent; touched on the service's queue.
  final class Output: @unchecked Sendable {
    var bytes: [UInt8] = []
    var isClosed = false
  }

  /// A service of a music folder `music` within `folder`, whose index is up to date.
  init(in folder: TemporaryFolder, isLocal: Bool = true, heavy: Int = 10_000) throws {
    self.folder = folder
    let music = folder.path + "/music"
    try FileManager.default.createDirectory(atPath: music, withIntermediateDirectories: true)
    let library = try MusicLibrary(
      root: music, path: folder.path + "/library.sqlite", queue: queue)
    let path = folder.path + "/service.sqlite"
    let store = try StateStore(path: path)
    server = MusicServer(
      queue: queue, player: SampleBufferPlayer(renderer: renderer), library: library,
      playlists: StoredPlaylists(folder: folder.path + "/lists"),
      stickers: try StickerStore(StateDatabase(path: folder.path + "/stickers.sqlite")),
      outputName: "null")
    let restored = try RestoredState(store, folder: folder.path)
    keeper = try StateKeeper(server, store, folder: folder.path, restored, heavy: heavy) {
      [notices] in notices.add($0)
    }
    let output = output
    client = ServedClient(options: ClientOptions(permissions: .all, isLocal: isLocal)) {
      output.bytes += $0
    } close: {
      output.isClosed = true
    }
    queue.sync { [server, client] in
      server.restore(restored)
      server.add(client)
    }
    _ = take()
    _ = self("update")
    precondition(until { queue.sync { server.library?.jobNumber == nil } })
  }

  deinit { settle() }

  /// Waits for what is being written: a process that is no more writes no more.
  func settle() {
    keeper.writer.sync {}
    queue.sync {}
  }

  private func take() -> String {
    queue.sync {
      defer { output.bytes = [] }
      return String(decoding: output.bytes, as: UTF8.self)
    }
  }

  /// Sends a line, and returns the answer.
  @discardableResult
  func callAsFunction(_ line: String) -> String {
    queue.sync {
      Array((line + "\n").utf8).withUnsafeBytes { server.receive($0, from: client) }
    }
    // As the loop of the clients does before the answer goes out.
    keeper.keep(queue.sync { keeper.take() })
    return take()
  }

  /// Sends a line, and returns the values of a name in its answer.
  func values(_ line: String, _ name: String) -> [String] {
    self(line).split(separator: "\n").compactMap { pair in
      pair.hasPrefix(name + ": ") ? String(pair.dropFirst(name.count + 2)) : nil
    }
  }

  func value(_ line: String, _ name: String) -> String? { values(line, name).first }

  /// True once the client has been left.
  var isClosed: Bool { queue.sync { output.isClosed } }

  /// Has so many frames heard; what is not decoded yet is waited for, a minute at most.
  func hear(_ frames: Int) {
    var left = frames
    _ = until {
      left -= pull(min(left, 4_800))
      return left == 0
    }
  }

  /// Has up to 4,800 frames heard, as many as there are now.
  @discardableResult
  func pull(_ frames: Int) -> Int {
    var samples = [Float](repeating: 0, count: 4_800)
    return samples.withUnsafeMutableBufferPointer {
      renderer.render(frames: frames, into: $0.baseAddress!)
    }
  }

  /// Writes the state, as at the service's end.
  func close() { queue.sync { keeper.finish() } }

  /// Writes a WAVE file of silence into the music folder.
  static func makeSong(_ folder: TemporaryFolder, _ name: String, seconds: Int = 1) throws {
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let size = 88_200 * seconds
    var data = Array("RIFF".utf8) + bytes(36 + size, 4) + Array("WAVEfmt ".utf8)
    data += bytes(16, 4) + bytes(1, 2) + bytes(1, 2) + bytes(44_100, 4) + bytes(88_200, 4)
    data += bytes(2, 2) + bytes(16, 2) + Array("data".utf8) + bytes(size, 4)
    _ = try folder.file("music/" + name, data + [UInt8](repeating: 0, count: size))
  }
}

/// Looks until something holds that other threads do; a minute at most.
func until(_ holds: () throws -> Bool) rethrows -> Bool {
  let limit = Date(timeIntervalSinceNow: 60)
  while Date() < limit {
    if try holds() { return true }
    Thread.sleep(forTimeInterval: 0.001)
  }
  return false
}
