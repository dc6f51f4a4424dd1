// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
import Synchronization
import Testing

@Suite struct OpeningAheadTests {
  /// What became of sources, counted, and how far the threads of a test are.
  private final class Tally: Sendable {
    let made = Atomic(0)
    let opened = Atomic(0)
    let cancelled = Atomic(0)
    let freed = Atomic(0)
    let begun = Atomic(0)

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

    init(_ tally: Tally) {
      self.tally = tally
      tally.made.add(1, ordering: .relaxed)
    }

    deinit { tally.freed.add(1, ordering: .relaxed) }

    func open() { tally.opened.add(1, ordering: .relaxed) }
    func seek(to frame: Int64) {}
    func read(frames: Int) -> Chunk? { nil }
    func cancel() { tally.cancelled.add(1, ordering: .relaxed) }
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
    // The last threads may not have ended yet.
    while tally.freed.load(ordering: .relaxed) < tally.made.load(ordering: .relaxed) {}
    #expect(tally.freed.load(ordering: .relaxed) == 40_000)
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
    while tally.opened.load(ordering: .relaxed) == 0 {}
    while tally.freed.load(ordering: .relaxed) == 0 {}
    ahead.prepare([])
    while tally.freed.load(ordering: .relaxed) < 2 {}
    #expect(tally.opened.load(ordering: .relaxed) == 1)
  }
}
