// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
@testable import Rendering
import Synchronization
import Testing

/// Seeks while the output takes its time to say where it is, as a server does that is far or busy.
@Suite struct LateAnswerTests {
  /// Ten minutes of silence, which counts the frames that are read of it.
  private final class CountedSource: FrameSource, @unchecked Sendable {
    // @unchecked: used by one decoder thread at a time; the count is atomic.
    let format = AudioFormat(sampleRate: 48_000, layout: .mono)
    let frameCount: Int64? = 600 * 48_000
    let tags = Tags()
    let truncation: SoundFileError? = nil
    private var position: Int64 = 0
    private let framesRead: FrameCount

    init(_ framesRead: FrameCount) { self.framesRead = framesRead }

    func seek(to frame: Int64) throws(SoundFileError) { position = frame }

    func read(frames: Int) throws(SoundFileError) -> Chunk? {
      let count = Int(min(Int64(frames), 600 * 48_000 - position))
      guard count > 0 else { return nil }
      position += Int64(count)
      // What is still read of the item's beginning, and for the first seek, is theirs.
      if position > 100 * 48_000 { framesRead.count.add(count, ordering: .relaxed) }
      let storage = FrameStorage(capacity: count)
      storage.samples.update(repeating: 0, count: count)
      return Chunk(storage: storage, frameCount: count, format: format)
    }
  }

  private final class FrameCount: Sendable {
    let count = Atomic<Int>(0)
  }

  /// A serializer whose items are all ten minutes long; `framesRead` counts what is read of them.
  private func serializer(
    on output: SteppedOutput, _ framesRead: FrameCount = FrameCount()
  ) -> SampleBufferSerializer {
    SampleBufferSerializer(
      renderer: AudioRenderer(output: output, quality: .veryHigh),
      synchronizer: RenderSynchronizer(), fade: .standard,
      decoder: DecoderWatchdog { (_: String) throws(SoundFileError) in CountedSource(framesRead) },
      shared: SharedQueue())
  }

  @Test(arguments: [false, true])
  func `two seeks before the output answers read no more than their splices need`(
    isPlaying: Bool
  ) {
    let output = SteppedOutput(reach: 480)
    let framesRead = FrameCount()
    let serializer = serializer(on: output, framesRead)
    serializer.restartQueue(with: PlaylistItems([PlaylistItem(path: "long")]))
    if isPlaying { serializer.resumeQueue() }
    wait { serializer.isSettled }

    output.holdAnswers()
    for (number, second) in [60, 120].enumerated() {
      if number == 1 {
        // The first one is ready.
        wait {
          serializer.queue.sync {
            let preparedSplice = serializer.state.preparedSplice
            return !serializer.decoders.preparing.isBusy
              && preparedSplice.map { $0.content.waiting >= $0.needed } != false
          }
        }
      }
      serializer.shared.edit { state, _ in
        state.seek(to: RationalTime(frames: Int64(second), rate: 1))
        return []
      }
      wait { serializer.queue.sync { serializer.state.spliceInFlight != nil } }
    }
    // Until no more of it is decoded.
    wait {
      serializer.queue.sync {
        guard let preparedSplice = serializer.state.preparedSplice else { return false }
        return preparedSplice.content.waiting >= preparedSplice.needed
          && !serializer.decoders.preparing.isBusy
      }
    }
    // What is needed, a step more, and the history of both.
    #expect(framesRead.count.load(ordering: .relaxed) <= 2 * 12_000 + 2 * OpenItem.history)

    output.answer()
    wait { serializer.isSettled }
    // The first frame of it is heard next.
    output.step(to: 480)
    #expect(serializer.hearing?.0.offset == RationalTime(frames: 120, rate: 1))
  }

  // On a busy machine the first seek's place was heard for 20 ms: the answer for it had the line begin before the
  // second one was handed over.
  @Test func `what begins behind a pause was asked for last, however late the output answers`() {
    let output = SteppedOutput(reach: 480)
    let serializer = serializer(on: output)
    let renderer = serializer.renderer
    serializer.restartQueue(with: PlaylistItems([PlaylistItem(path: "long")]))
    wait { serializer.isSettled }
    output.holdAnswers()
    for second in [60, 120] {
      serializer.shared.edit { state, _ in
        state.seek(to: RationalTime(frames: Int64(second), rate: 1))
        return []
      }
      wait { serializer.queue.sync { serializer.state.spliceInFlight != nil } }
    }
    wait { serializer.queue.sync { serializer.state.preparedSplice != nil } }
    serializer.resumeQueue()
    wait { serializer.synchronizer.rate == 1 }
    serializer.queue.sync {
      // The line has the first one by now, and whoever hands over the second one is not there yet.
      output.answer()
      #expect(output.withLock { renderer.line.transport != .running })
      #expect(!renderer.hasSufficientMediaDataForReliablePlaybackStart)
    }
    wait { serializer.isSettled && output.withLock { renderer.line.transport == .running } }
    let first = output.withLock { renderer.line.map.last.stream }
    #expect(!output.withLock { renderer.line.map.piece(at: first - 1).isRunning })
    output.step(to: first)
    #expect(serializer.hearing?.0.offset == RationalTime(frames: 120, rate: 1))
  }

  /// Splices of a start behind a stop that came while another splice was on its way, and was to be read
  /// again.
  private func splicesBehindStop(readsAgain: Bool) -> Int {
    let output = SteppedOutput(reach: 480)
    let serializer = serializer(on: output)
    serializer.restartQueue(with: PlaylistItems([PlaylistItem(path: "long")]))
    serializer.resumeQueue()
    wait { serializer.isSettled }
    output.holdAnswers()
    serializer.shared.edit { state, _ in
      state.seek(to: RationalTime(frames: 60, rate: 1))
      return []
    }
    wait { serializer.queue.sync { serializer.state.isSplicing } }
    if readsAgain { serializer.readAgain() }
    serializer.stopQueue()
    wait { serializer.queue.sync { !serializer.state.isSplicing } }
    output.answer()
    let before = output.withLock { serializer.renderer.line.generation }
    serializer.restartQueue(with: PlaylistItems([PlaylistItem(path: "long")]))
    serializer.resumeQueue()
    wait { serializer.queue.sync { serializer.state.playing != nil } && serializer.isSettled }
    return output.withLock { serializer.renderer.line.generation } - before
  }

  @Test func `a start behind a stop is read once, whatever was to be read again before`() {
    #expect(splicesBehindStop(readsAgain: true) == splicesBehindStop(readsAgain: false))
  }

  // What was being read again from where the clock was is not where the flush held: 957 frames were silence
  // instead, on PipeWire, whose clock is as coarse as its cycles.
  @Test func `what is read again goes on where a flush holds, behind which the clock was already`()
  {
    let output = SteppedOutput(reach: 0)
    let player = SampleBufferPlayer(
      renderer: AudioRenderer(output: output, quality: .veryHigh), fade: .none)
    let (serializer, renderer) = (player.serializer, player.renderer)
    let source = GatedSource(name: "gated", frameCount: 480_000)
    let gate = source.gate
    gate.available.store(480_000, ordering: .relaxed)
    player.playlist.append(PlaylistItem(source))
    player.play()
    wait {
      output.withLock { renderer.line.transport == .running && renderer.line.ring.end > 80_000 }
    }
    output.step(to: 48_000)
    gate.available.store(50_000, ordering: .relaxed)
    renderer.flush(fromSourceTime: MediaTime(value: 60_000, timescale: 48_000)) { _ in }
    wait { serializer.queue.sync { serializer.state.preparedSplice != nil } }
    output.early.store(957, ordering: .relaxed)
    renderer.flush()
    #expect(renderer.heldTime == RationalTime(frames: 47_043, rate: 48_000))
    output.early.store(0, ordering: .relaxed)
    gate.available.store(480_000, ordering: .relaxed)
    wait { serializer.isSettled && renderer.heldTime == nil }
    var samples = [Float](repeating: 0, count: 2_000)
    output.withLock {
      let first = renderer.line.map.last.stream
      renderer.line.render(from: first, frames: samples.count, into: &samples)
    }
    // Behind the fade in.
    #expect((240..<2_000).allSatisfy { samples[$0] == StepSource.sample(47_043 + Int64($0)) })
  }

  // The item that the turn passed had the order looked at, which said by then that all had been stopped, and the
  // turn was put on the timeline all the same: the player stood stopped at an item.
  @Test func `a stop that comes with the answer for a turn past an item ends playing`() {
    let output = SteppedOutput(reach: 200, sampleRate: RampSource.rate, seconds: 4)
    let player = SampleBufferPlayer(
      renderer: AudioRenderer(output: output, quality: .veryHigh), fade: .none,
      decoder: DecoderWatchdog { (path: String) throws(SoundFileError) in
        try RampSource(path: path)
      })
    player.renderer.audioTimePitchAlgorithm = .varispeed
    let serializer = player.serializer
    for path in ["ramp 1 1000", "ramp 2 16000"] {
      player.playlist.append(PlaylistItem(path: path))
    }
    player.play()
    wait { serializer.isSettled && output.withLock { player.renderer.line.contentEnd } >= 2_000 }
    let begin = output.withLock { player.renderer.line.map.last.stream }
    output.step(to: begin + 900)
    output.holdAnswers()
    player.rate = -1
    wait { serializer.queue.sync { serializer.state.spliceInFlight?.lead != nil } }
    output.overrun(to: begin + 1_100)
    serializer.queue.sync {
      #expect(serializer.state.timeline.spans.count > 1)
      output.answer()
      player.stop()
    }
    wait { serializer.isSettled }
    #expect(serializer.queue.sync { serializer.state.playing == nil })
    #expect(serializer.queue.sync { serializer.state.timeline.spans.isEmpty })
    #expect(player.currentItem == nil && player.rate == 0)
  }
}
