// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
import Synchronization
import Testing

@Suite struct OpeningAheadTests {
  /// What became of sources, and how far the threads of a test are.
  private final class Tally: Sendable {
    /// Number of the source that is being made.
    let begun = Atomic(0)
    let openedCount = Atomic(0)
    let opened = DispatchSemaphore(value: 0)
    let freed = DispatchSemaphore(value: 0)

    /// Spends so many times some nanoseconds.
    static func spin(_ count: Int) {
      let spun = Atomic(0)
      for _ in 0..<count { spun.add(1, ordering: .sequentiallyConsistent) }
    }
  }

  /// A source that is open at once.
  private final class QuickSource: FrameSource {
    let format = AudioFormat(sampleRate: 48_000, layout: .stereo)
    let frameCount: Int64? = 0
    let tags = Tags()
    let truncation: SoundFileError? = nil
    private let tally: Tally

    init(_ tally: Tally) { self.tally = tally }

    deinit { tally.freed.signal() }

    func open() {
      tally.openedCount.add(1, ordering: .relaxed)
      tally.opened.signal()
    }
    func seek(to frame: Int64) {}
    func read(frames: Int) -> Chunk? { nil }
  }

  @Test func `lists that change while their files are being opened let go of each file once`() {
    let tally = Tally()
    let item = PlaylistItem(path: "quick")
    for i in 1...40_000 {
      let ahead = OpeningAhead { _ in
        tally.begun.store(i, ordering: .sequentiallyConsistent)
        // A little later each time: the list changes before, while and after the source is kept.
        Tally.spin(i % 512)
        return QuickSource(tally)
      }
      ahead.prepare([item])
      while tally.begun.load(ordering: .sequentiallyConsistent) < i {}
      Tally.spin(100)
      ahead.prepare([])
    }
    for _ in 1...40_000 { tally.freed.wait() }
    #expect(tally.freed.wait(timeout: .now()) == .timedOut)
  }

  @Test func `a source that is made for nobody any more is let go of without being opened`() {
    let tally = Tally()
    let (isBeingMade, goOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let ahead = OpeningAhead { _ in
      isBeingMade.signal()
      goOn.wait()
      return QuickSource(tally)
    }
    ahead.prepare([PlaylistItem(path: "left")])
    isBeingMade.wait()
    ahead.prepare([PlaylistItem(path: "wanted")])
    isBeingMade.wait()
    goOn.signal()
    goOn.signal()
    tally.opened.wait()
    tally.freed.wait()
    ahead.prepare([])
    tally.freed.wait()
    #expect(tally.openedCount.load(ordering: .relaxed) == 1)
  }

  @Test func `a file that two threads wait for is no less there for the one that comes second`() {
    let tally = Tally()
    let item = PlaylistItem(path: "quick")
    let late = Atomic(0)
    for i in 1...2_000 {
      let isBeingMade = DispatchSemaphore(value: 0)
      let goOn = Atomic(false)
      let ahead = OpeningAhead { _ in
        isBeingMade.signal()
        while !goOn.load(ordering: .sequentiallyConsistent) {}
        return QuickSource(tally)
      }
      onThreads(2) { thread in
        if thread == 0 {
          if case .late = ahead.take(item, within: 1_000_000_000) {
            late.add(1, ordering: .relaxed)
          }
        } else {
          isBeingMade.wait()
          goOn.store(true, ordering: .sequentiallyConsistent)
          // A little later each time: before, while and after it is there.
          Tally.spin(i % 256)
          _ = ahead.take(item)
        }
      }
    }
    #expect(late.load(ordering: .relaxed) == 0)
  }
}
