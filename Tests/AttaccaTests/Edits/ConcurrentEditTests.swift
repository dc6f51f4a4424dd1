// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import Synchronization
import TestSeeds
import Testing

/// One player under the operations of four threads at once, while a fifth pulls and flushes.
@Suite struct ConcurrentEditTests {
  private static let threads = 4
  private static let edits = 100
  /// Frames pulled for each operation that is done; fewer than 1,500 in all.
  private static let share = 3

  /// What the threads have done.
  private final class Done: @unchecked Sendable {
    let count = Atomic<Int>(0)
    private let arrived = Atomic<Int>(0)
    // @unchecked: each thread has a place of its own, and they are read after all have ended.
    let lists: UnsafeMutableBufferPointer<[(Edit, SharedEdit)]>

    init() {
      lists = .allocate(capacity: threads)
      lists.initialize(repeating: [])
    }

    /// Waits for all threads: a short one would be over before the next has started.
    func begin() {
      arrived.add(1, ordering: .relaxed)
      while arrived.load(ordering: .relaxed) <= threads { sched_yield() }
    }

    deinit { lists.deinitialize().deallocate() }
  }

  @Test func `what four threads do is what one does in the order of the serial numbers`() async {
    let first = UInt64.random(in: 0..<1_000_000)
    // All of it waits: on the test's own thread others would wait with it.
    let difference = await withCheckedContinuation { ended in
      Thread {
        var difference: String?
        for seed in first..<(first + 30) where difference == nil {
          do {
            try Self.play(seed)
          } catch {
            difference = "seed \(seed): \(error)"
          }
        }
        ended.resume(returning: difference)
      }.start()
    }
    #expect(difference == nil)
  }

  private static func play(_ seed: UInt64) throws(EditedPlayback.Difference) {
    let playback = EditedPlayback(timeout: 60)
    let (player, renderer) = (playback.player, playback.renderer)
    var beginning = SharedEditMaker(seed: seed, thread: -1)
    let initial = beginning.items(SharedEditMaker.least)
    let appended = player.playlist.append(contentsOf: initial)
    let done = Done()
    onThreads(threads + 1) { thread in
      done.begin()
      if thread < threads {
        edit(player, SharedEditMaker(seed: seed, thread: thread), thread, done)
      } else {
        pull(renderer, player.synchronizer, SplitMix64(seed: seed), done)
      }
    }
    let inOrder = done.lists.joined().sorted { $0.0.serialNumber < $1.0.serialNumber }
    let numbers = inOrder.map(\.0.serialNumber)
    guard
      numbers.elementsEqual((appended.serialNumber + 1)...(appended.serialNumber + numbers.count))
    else { throw EditedPlayback.Difference("serial numbers \(numbers)") }

    var model = EditModel()
    try SharedEdit.append(initial).apply(to: &model)
    for (_, edit) in inOrder { try edit.apply(to: &model) }
    try playback.take(model, player.playlist.items)
    // How far it was pulled is not known: from here on it is.
    let rest: [EditOperation] = [
      .seek(700), .play, .pull(9_000), .endLoop, .repeats(.off), .stopAfterCurrent(false), .play,
      .pull(4_000 * (model.items.count + 1)),
    ]
    do {
      for operation in rest { try playback.apply(operation) }
    } catch {
      let last = inOrder.suffix(12).map { "\($0.1)" }
      throw EditedPlayback.Difference("\(error), after \(last)")
    }
  }

  private static func edit(
    _ player: SampleBufferPlayer, _ maker: SharedEditMaker, _ thread: Int, _ done: Done
  ) {
    var maker = maker
    for _ in 0..<edits {
      let edit = maker.next(player.playlist.items)
      do throws(PlaylistError) {
        done.lists[thread].append((try edit.perform(on: player), edit))
      } catch {
        // Another thread has removed what it names: it has no serial number.
      }
      done.count.add(1, ordering: .relaxed)
      // Else a thread would do most of its own at one go.
      sched_yield()
    }
  }

  private static func pull(
    _ renderer: OfflineRenderer, _ synchronizer: RenderSynchronizer, _ random: SplitMix64,
    _ done: Done
  ) {
    var (random, pulled) = (random, 0)
    var frames = [Float](repeating: 0, count: 20)
    while true {
      let count = done.count.load(ordering: .relaxed)
      if pulled < share * count {
        pulled += renderer.render(frames: .random(in: 1...20, using: &random), into: &frames)
      }
      if Int.random(in: 0..<40, using: &random) == 0 {
        let ahead = EditedPlayback.time(.random(in: 0...3_000, using: &random))
        renderer.flush(fromSourceTime: synchronizer.currentTime() + ahead) { _ in }
      }
      if count == threads * edits { return }
      sched_yield()
    }
  }
}
