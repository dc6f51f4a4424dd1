// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import TestFixtures
import TestServers
import Testing

@Suite struct BrokenFilesOnServerTests {
  @Test func `what cannot be played is reported, and the rest joins without a gap`() async throws {
    try await onOwnThread {
      let sound = try TestSound()
      let length = 2 * 48_000
      let (one, two, three) = (
        try sound.numbered(1, frames: length), try sound.numbered(2, frames: length),
        try sound.numbered(3, frames: length)
      )
      let broken = [
        "text.mp3", "noise.mp3", "empty.wav", "absurd-rate.wav", "absurd-channels.wav",
        "absurd-both.wav",
      ].map { Fixtures.path("broken/" + $0) }
      let missing = sound.path("missing.flac")
      let playback = try ServerPlayback(
        TestedServer.shared,
        [broken[0], missing, one] + broken[1...3] + [two, three] + broken[4...])
      playback.player.play()
      let heard = Heard.trimmed(try playback.finish())
      #expect(heard == (1...3).map { .frames(item: $0, 0..<length) })
      let failures = playback.events.sentences.filter { $0.hasPrefix("failed") }
      let names = [broken[0], missing] + broken[1...]
      #expect(failures.count == names.count, "\(failures)")
      for (failure, path) in zip(failures, names) {
        let name = (path as NSString).lastPathComponent
        #expect(failure.hasPrefix("failed \(name): "))
        #expect(failure.contains(path))
      }
      #expect(
        playback.events.sentences.filter { $0.hasPrefix("current") } == [
          "current 1.wav", "current 2.wav", "current 3.wav", "current nil",
        ])
      #expect(playback.renderer.underrunCount == 0)
    }
  }

  @Test func `of a file that is cut short is heard what is there, then what follows`() async throws
  {
    try await onOwnThread {
      let sound = try TestSound()
      let length = 48_000
      let cut = try sound.numbered(2, frames: length)
      // 8 bytes a frame: 20,000 frames go, and a half.
      let size = try #require(
        FileManager.default.attributesOfItem(atPath: cut)[.size] as? UInt64)
      let file = try FileHandle(forWritingTo: URL(filePath: cut))
      try file.truncate(atOffset: size - 20_000 * 8 - 4)
      try file.close()
      let playback = try ServerPlayback(
        TestedServer.shared,
        [sound.numbered(1, frames: length), cut, sound.numbered(3, frames: length)])
      playback.player.play()
      let heard = Heard.trimmed(try playback.finish())
      #expect(
        heard == [
          .frames(item: 1, 0..<length), .frames(item: 2, 0..<27_999),
          .frames(item: 3, 0..<length),
        ])
      let failures = playback.events.sentences.filter { $0.hasPrefix("failed") }
      #expect(failures.count == 1)
      #expect(failures.first?.contains(cut) == true)
      #expect(playback.renderer.underrunCount == 0)
    }
  }

  @Test func `a queue in which nothing can be played ends at once`() async throws {
    try await onOwnThread {
      let playback = try ServerPlayback(
        TestedServer.shared,
        ["text.mp3", "empty.wav"].map { Fixtures.path("broken/" + $0) })
      playback.player.play()
      try playback.events.wait("the end") { $0 == "end" }
      let failures = playback.events.sentences.filter { $0.hasPrefix("failed") }
      #expect(failures.count == 2)
      #expect(playback.player.rate == 0)
      #expect(playback.player.currentItem == nil)
      #expect(Heard.sound(playback.capture.recording) == [])
    }
  }
}
