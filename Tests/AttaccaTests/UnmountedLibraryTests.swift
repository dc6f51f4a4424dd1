// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
@testable import Rendering
import Synchronization
import TestFixtures
import Testing

/// A library whose files are all missing; `Bench unmounted` holds what an item of it costs.
@Suite struct UnmountedLibraryTests {
  @Test func `what is remembered of files that cannot be played does not grow with their number`()
    async
  {
    let gate = DispatchSemaphore(value: 0)
    let opened = DispatchSemaphore(value: 0)
    let decoder = DecoderWatchdog(timeout: 600) { path throws(SoundFileError) in
      if path == "last" {
        opened.signal()
        gate.wait()
      }
      throw SoundFileError(.missing, path: path, call: "open", cause: "none")
    }
    let playback = OfflinePlayback((0..<5_000).map { "\($0)" } + ["last"], decoder: decoder)
    playback.player.play()
    opened.wait()
    let serializer = playback.player.serializer
    let begun = serializer.queue.sync { serializer.state.preparedSplice?.content.begun.count ?? 0 }
    #expect((1...DecodeAhead.remembered + 2).contains(begun), "\(begun)")
    gate.signal()
  }

  private final class Flag: Sendable { let value = Atomic<Bool>(false) }
  private final class Count: Sendable { let value = Atomic<Int>(0) }

  /// An edit in the middle of what cannot be played, which has been left behind.
  @Test func `an item put among files that could not be played is heard, and none is tried twice`()
    async throws
  {
    let reached = DispatchSemaphore(value: 0)
    let gate = DispatchSemaphore(value: 0)
    let (hasWaited, tried) = (Flag(), Count())
    let decoder = DecoderWatchdog(timeout: 600) { path throws(SoundFileError) in
      if path.hasPrefix("ramp") { return try RampSource(path: path) }
      if path == "missing 100" { tried.value.add(1, ordering: .relaxed) }
      if path == "missing 999", !hasWaited.value.exchange(true, ordering: .relaxed) {
        reached.signal()
        gate.wait()
      }
      throw SoundFileError(.missing, path: path, call: "open", cause: "none")
    }
    let paths = ["ramp 1 1000"] + (0..<2_000).map { "missing \($0)" } + ["ramp 2 100"]
    let playback = OfflinePlayback(
      paths, format: AudioFormat(sampleRate: RampSource.rate, layout: .mono), fade: .none,
      decoder: decoder)
    let player = playback.player
    player.play()
    reached.wait()
    // Behind what has been tried: nothing of that is tried again.
    player.playlist.remove(at: 1_900)
    gate.signal()
    playback.waitForContent(upTo: 1_100)
    // But for those of the step that was under way, of 2 ms.
    #expect(tried.value.load(ordering: .relaxed) == 1)
    player.playlist.insert(PlaylistItem(path: "ramp 3 50"), at: 500)
    playback.settle()
    let heard = playback.pullToEnd()
    let expected = [(1, 1_000), (3, 50), (2, 100)].flatMap { number, count in
      (0..<count).map { RampSource.sample(number, $0) }
    }
    #expect(firstDifference(heard, expected) == nil)
  }
}
