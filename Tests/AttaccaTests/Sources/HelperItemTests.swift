// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import Foundation
@testable import Rendering
import TestFixtures
import Testing

/// Items that the process attacca-decode decodes, among others.
@Suite struct HelperItemTests {
  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "attacca-\(UUID().uuidString)")
  private let uncut = Fixtures.path("cut/uncut.flac")

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// The fixture as ALAC in an MP4 file.
  private func alac() throws -> String {
    let path = folder.appending(path: "a.m4a").path
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["ffmpeg", "-v", "error", "-y", "-i", uncut, "-c:a", "alac", path]
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "127 means: apt-get install ffmpeg")
    return path
  }

  /// The processes that decode a file.
  private func decoders(of path: String) -> [pid_t] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return all.compactMap(pid_t.init).filter {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\($0)/fd/3")) == path
    }
  }

  @Test func `neighbours decoded by the helper, and by nobody, join to the frame`() async throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let (path, broken) = (try alac(), folder.appending(path: "broken.m4a").path)
    try Data([0, 0, 0, 24] + Array("ftypM4A ".utf8) + [UInt8](repeating: 7, count: 5_000))
      .write(to: URL(filePath: broken))
    let playback = OfflinePlayback([uncut, path, broken, path, uncut])
    let events = playback.player.events
    let heard = playback.playToEnd()
    let one = try Fixtures.samples("cut/uncut.flac")
    #expect(firstDifference(heard, one + one + one + one) == nil)
    var failed: [String] = []
    for await event in events {
      if case .itemsDidFail(let more) = event { failed += more.map { "\($0.error)" } }
      if case .endOfQueue = event { break }
    }
    #expect(failed.count == 1 && failed.first?.hasPrefix(broken) == true, "\(failed)")
  }

  @Test func `a process that is killed while its file plays costs no frame`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try alac()
    let playback = OfflinePlayback([path, path, uncut])
    playback.player.play()
    var heard = playback.pull(1_000)
    for _ in 0..<3 {
      for process in decoders(of: path) { kill(process, SIGKILL) }
      heard += playback.pull(20_000)
    }
    heard += playback.pullToEnd()
    let one = try Fixtures.samples("cut/uncut.flac")
    #expect(firstDifference(heard, one + one + one) == nil)
  }

  @Test func `a process that is killed while it opens its file costs nothing`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try alac()
    for _ in 0..<12 {
      let killer = DispatchSemaphore(value: 0)
      let thread = Thread { [self] in
        // The first one that is seen, which opens the file, or is about to tell of it.
        let end = HostClock.nanoseconds + 5_000_000_000
        while HostClock.nanoseconds < end {
          guard let process = decoders(of: path).first else { continue }
          kill(process, SIGKILL)
          break
        }
        killer.signal()
      }
      thread.start()
      let file = try SoundFile(path: BytePath(path), pool: FramePool())
      killer.wait()
      #expect(file.frameCount == 576_000)
    }
  }

  @Test func `processes that are killed one after the other cost no frame`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = try alac()
    let one = try Fixtures.samples("cut/uncut.flac")
    for _ in 0..<4 {
      let playback = OfflinePlayback([path])
      playback.player.play()
      var heard = playback.pull(1_000)
      let ended = DispatchSemaphore(value: 0)
      let thread = Thread { [self] in
        // Each as soon as it is seen: those that are asked again, too.
        var killed: Set<pid_t> = []
        let end = HostClock.nanoseconds + 5_000_000_000
        while killed.count < 3, HostClock.nanoseconds < end {
          for process in decoders(of: path) where killed.insert(process).inserted {
            kill(process, SIGKILL)
          }
        }
        ended.signal()
      }
      thread.start()
      heard += playback.pullToEnd()
      ended.wait()
      #expect(firstDifference(heard, one) == nil)
    }
  }
}
