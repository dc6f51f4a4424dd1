// SPDX-License-Identifier: Apache-2.0

import Attacca
@testable import Rendering
import TestFixtures
import Testing

@Suite struct SampleBufferSerializerTests {
  private typealias Line = SerializedPlayback
  private let line = SerializedPlayback()
  private var serializer: SampleBufferSerializer { line.serializer }
  private let a = Line.item(1, frames: 3_000)
  private let b = Line.item(2, frames: 5_000)
  private let c = Line.item(3, frames: 1_001)

  private func list(_ items: PlaylistItem...) -> PlaylistItems { PlaylistItems(items) }

  /// Plays `items` from the first one's beginning on.
  private func begin(_ items: PlaylistItem...) {
    line.settling {
      serializer.restartQueue(with: PlaylistItems(items))
      serializer.resumeQueue()
    }
  }

  // MARK: restartQueue

  @Test func `a restarted queue of files is heard frame for frame`() throws {
    let renderer = OfflineRenderer(format: AudioFormat(sampleRate: 48_000, layout: .stereo))
    let serializer = SampleBufferSerializer(
      renderer: renderer, synchronizer: RenderSynchronizer(), fade: .none)
    let paths = try Fixtures.playlist("cut/cut.m3u8")
    serializer.restartQueue(with: PlaylistItems(paths.map { PlaylistItem(path: $0) }))
    serializer.resumeQueue()
    var heard: [Float] = []
    renderer.renderToEnd { heard.append(contentsOf: $0) }
    #expect(firstDifference(heard, try Fixtures.samples("cut/uncut.flac")) == nil)
  }

  @Test func `a restart plays from the offset in the item at the index, to the list's end`() {
    serializer.restartQueue(with: list(a, b, c), from: 1, atOffset: Line.time(1_234))
    serializer.resumeQueue()
    let heard = line.pullToEnd()
    #expect(heard == Line.ramp(2, 1_234..<5_000) + Line.ramp(3, 0..<1_001))
  }

  @Test func `a restart keeps the rate: paused, nothing is heard before it is resumed`() {
    line.settling { serializer.restartQueue(with: list(a, b), atOffset: Line.time(500)) }
    #expect(line.synchronizer.rate == 0)
    #expect(line.pullWhatIsThere(100).isEmpty)
    line.settling { serializer.resumeQueue() }
    #expect(line.synchronizer.rate == 1)
    #expect(line.pull(3_000) == Line.ramp(1, 500..<3_000) + Line.ramp(2, 0..<500))
  }

  @Test func `a restart while playing takes over at the frame that is pulled next`() {
    begin(a, b)
    #expect(line.pull(1_000) == Line.ramp(1, 0..<1_000))
    line.settling { serializer.restartQueue(with: list(b, c), atOffset: Line.time(4_321)) }
    #expect(line.synchronizer.rate == 1)
    #expect(line.pullToEnd() == Line.ramp(2, 4_321..<5_000) + Line.ramp(3, 0..<1_001))
  }

  @Test func `media time zero is offset zero of the first item of the restart`() {
    begin(c)
    _ = line.pull(700)
    line.settling { serializer.restartQueue(with: list(a, b), atOffset: Line.time(2_500)) }
    #expect(line.pull(100) == Line.ramp(1, 2_500..<2_600))
    #expect(line.synchronizer.currentTime() == Line.time(2_600))
    #expect(line.pull(500) == Line.ramp(1, 2_600..<3_000) + Line.ramp(2, 0..<100))
    #expect(line.synchronizer.currentTime() == Line.time(3_100))
    wait { serializer.currentSpan?.item == b }
    #expect(serializer.currentSpan?.start == RationalTime(frames: 3_000, rate: RampSource.rate))
  }

  @Test(arguments: [
    SerializedPlayback.time(3_000), SerializedPlayback.time(99_000), .positiveInfinity,
  ])
  func `an offset at the item's end or past it is its end`(offset: MediaTime) {
    serializer.restartQueue(with: list(a, c), atOffset: offset)
    serializer.resumeQueue()
    #expect(line.pullToEnd() == Line.ramp(3, 0..<1_001))
  }

  @Test(arguments: [SerializedPlayback.time(-1), .negativeInfinity])
  func `an offset before the item's beginning is its beginning`(offset: MediaTime) {
    serializer.restartQueue(with: list(c, a), atOffset: offset)
    serializer.resumeQueue()
    #expect(line.pullToEnd() == Line.ramp(3, 0..<1_001) + Line.ramp(1, 0..<3_000))
  }

  // MARK: continueQueue

  @Test func `what is heard goes on, and what follows it is as the new list says`() {
    begin(a, b)
    #expect(line.pull(1_000) == Line.ramp(1, 0..<1_000))
    line.settling { serializer.continueQueue(with: list(a, c, b)) }
    #expect(
      line.pullToEnd()
        == Line.ramp(1, 1_000..<3_000) + Line.ramp(3, 0..<1_001) + Line.ramp(2, 0..<5_000))
  }

  @Test func `a list continued from the item that is heard has no part in what is before it`() {
    begin(a, b)
    _ = line.pull(1_000)
    line.settling { serializer.continueQueue(with: list(b, a, c), from: 1) }
    #expect(line.pullToEnd() == Line.ramp(1, 1_000..<3_000) + Line.ramp(3, 0..<1_001))
  }

  @Test func `a list without what is heard begins at the frame that is pulled next`() {
    begin(a, b)
    _ = line.pull(1_000)
    line.settling { serializer.continueQueue(with: list(c, b)) }
    #expect(line.pullToEnd() == Line.ramp(3, 0..<1_001) + Line.ramp(2, 0..<5_000))
  }

  @Test func `a list that ends with what is heard lets that be the last`() {
    begin(a, b)
    _ = line.pull(1_000)
    line.settling { serializer.continueQueue(with: list(a)) }
    #expect(line.pullToEnd() == Line.ramp(1, 1_000..<3_000))
  }

  @Test func `an empty list ends what is heard`() {
    begin(a, b)
    _ = line.pull(1_000)
    line.settling { serializer.continueQueue(with: list()) }
    #expect(line.pullToEnd().isEmpty)
    #expect(serializer.currentSpan == nil)
  }

  @Test func `a paused queue that is continued stays paused at its frame`() {
    begin(a, b)
    _ = line.pull(1_000)
    line.settling { serializer.pauseQueue() }
    line.settling { serializer.continueQueue(with: list(a, c)) }
    #expect(line.pullWhatIsThere(100).isEmpty)
    line.settling { serializer.resumeQueue() }
    #expect(line.pullToEnd() == Line.ramp(1, 1_000..<3_000) + Line.ramp(3, 0..<1_001))
  }

  // MARK: pauseQueue, resumeQueue

  @Test func `nothing is heard while paused, and the next frame after it`() {
    begin(a, b)
    #expect(line.pull(1_000) == Line.ramp(1, 0..<1_000))
    // Twice is as once.
    line.settling { serializer.pauseQueue() }
    line.settling { serializer.pauseQueue() }
    #expect(line.synchronizer.rate == 0)
    #expect(line.pullWhatIsThere(100).isEmpty)
    #expect(line.synchronizer.currentTime() == Line.time(1_000))
    wait { serializer.currentSpan?.item == a }
    line.settling { serializer.resumeQueue() }
    line.settling { serializer.resumeQueue() }
    #expect(line.synchronizer.rate == 1)
    #expect(line.pullToEnd() == Line.ramp(1, 1_000..<3_000) + Line.ramp(2, 0..<5_000))
  }

  @Test func `resuming where nothing is current does nothing`() {
    line.settling { serializer.resumeQueue() }
    #expect(line.synchronizer.rate == 0)
    #expect(line.pullWhatIsThere(100).isEmpty)
    // Nor is it remembered.
    line.settling { serializer.restartQueue(with: list(a)) }
    #expect(line.synchronizer.rate == 0)
    #expect(line.pullWhatIsThere(100).isEmpty)
  }

  // MARK: stopQueue

  @Test func `after a stop no frame is heard, nothing is current, and the end has come`() {
    begin(a, b)
    #expect(line.pull(1_000) == Line.ramp(1, 0..<1_000))
    line.settling { serializer.stopQueue() }
    #expect(line.synchronizer.rate == 0)
    #expect(serializer.currentSpan == nil)
    #expect(line.pullToEnd().isEmpty)
    line.settling { serializer.resumeQueue() }
    #expect(line.pullWhatIsThere(100).isEmpty)
  }

  @Test func `a stopped queue can be restarted`() {
    begin(a, b)
    _ = line.pull(1_000)
    line.settling { serializer.stopQueue() }
    begin(b, c)
    #expect(line.pullToEnd() == Line.ramp(2, 0..<5_000) + Line.ramp(3, 0..<1_001))
    wait { serializer.currentSpan == nil }
  }
}
