// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
@testable import Rendering
import Synchronization
import Testing

/// What takes over in the middle of an item goes on with the very next frame, wherever the clock and the end are.
@Suite struct SplicePlaceTests {
  /// Two seconds of sound; frame n is n + 1.
  private final class NumberedSource: FrameSource, @unchecked Sendable {
    // @unchecked: used by one decoder thread at a time.
    static let length = 96_000
    let format = AudioFormat(sampleRate: 48_000, layout: .mono)
    let frameCount: Int64? = Int64(NumberedSource.length)
    let tags = Tags()
    let truncation: SoundFileError? = nil
    private var position = 0

    func seek(to frame: Int64) throws(SoundFileError) { position = Int(frame) }

    func read(frames: Int) throws(SoundFileError) -> Chunk? {
      let count = min(frames, Self.length - position)
      guard count > 0 else { return nil }
      let storage = FrameStorage(capacity: count)
      for i in 0..<count { storage.samples[i] = Float(position + i + 1) }
      position += count
      return Chunk(storage: storage, frameCount: count, format: format)
    }
  }

  private let output = SteppedOutput(reach: 512, seconds: 2)
  private let player: SampleBufferPlayer

  init() {
    output.record()
    player = SampleBufferPlayer(
      renderer: AudioRenderer(output: output, quality: .veryHigh), fade: .standard,
      decoder: DecoderWatchdog(timeout: 600) { (_: String) throws(SoundFileError) in
        NumberedSource()
      })
    player.renderer.audioTimePitchAlgorithm = .varispeed
  }

  private func step(_ frames: Int) {
    output.step(to: output.position + frames)
    output.withLock {
      player.renderer.outputNeedsFrames()
      player.renderer.callbacks.timelineChanged?()
    }
  }

  private func waitUntilEnqueued() {
    wait {
      player.serializer.isSettled && output.withLock { player.renderer.line.isFinished }
    }
  }

  /// Plays at a rate of 1.4 until `before` frames of the sound are left by the clock, does `change` there, as setting a
  /// rate of 1.45, and plays to the end; the output takes `meanwhile` frames before it answers, and its clock
  /// `early` ones for heard that can still be replaced.
  ///
  /// - Returns: the first step from one heard frame to the next that neither rate has, or sound behind the end.
  private func firstWrongStep(
    before: Int, meanwhile: Int = 0, early: Int64 = 0,
    change: (SampleBufferPlayer) -> Void = { $0.rate = 1.45 }
  ) -> String? {
    player.playlist.append(PlaylistItem(path: "numbered"))
    player.rate = 1.4
    waitUntilEnqueued()
    output.early.store(early, ordering: .relaxed)
    let place = Double(NumberedSource.length - before) / 48_000
    while player.currentTime.seconds < place { step(100) }
    output.holdAnswers()
    change(player)
    wait { player.serializer.queue.sync { player.serializer.state.spliceInFlight != nil } }
    step(meanwhile)
    output.answer()
    waitUntilEnqueued()
    for _ in 0..<((before + Int(early)) / 100 + 20) { step(100) }
    let heard = output.heard
    // A filter rings by the end.
    let end = Float(NumberedSource.length)
    let last = heard.firstIndex { $0 > end - 200 } ?? heard.count - 1
    let wrong = (1_000..<last).first {
      !(heard[$0] + 1.3...heard[$0] + 1.55).contains(heard[$0 + 1])
    }
    if let wrong { return "frame \(wrong): \(heard[wrong + 1]) follows \(heard[wrong])" }
    return heard[last...].dropFirst(600).firstIndex { abs($0) > end / 100 }.map {
      "frame \($0), behind the end: \(heard[$0])"
    }
  }

  @Test(arguments: [2_600, 1_900, 1_100, 900, 600], [0, 300, 800])
  func `a rate that is set near the end cuts nothing of it`(before: Int, meanwhile: Int) {
    #expect(firstWrongStep(before: before, meanwhile: meanwhile) == nil)
  }

  @Test(arguments: [2_600, 900, 600], [0, 300, 800])
  func `what is read again near the end is heard once`(before: Int, meanwhile: Int) {
    #expect(firstWrongStep(before: before, meanwhile: meanwhile) { $0.readAgain() } == nil)
  }

  @Test(arguments: [40_000, 2_000], [700, 1_500])
  func `a rate is heard at its place where the clock is ahead of what can be replaced`(
    before: Int, early: Int64
  ) {
    #expect(firstWrongStep(before: before, early: early) == nil)
  }

  /// Frames that were heard with the numbers that they had, one run behind the other: each run's first and last.
  ///
  /// A frame of a fade may be a number, too, alone.
  private var runs: [ClosedRange<Float>] {
    output.heard.reduce(into: []) { runs, frame in
      guard frame >= 1, frame == frame.rounded() else { return }
      if let last = runs.last, last.upperBound + 1 == frame {
        runs[runs.count - 1] = last.lowerBound...frame
      } else {
        runs.append(frame...frame)
      }
    }.filter { $0.upperBound > $0.lowerBound }
  }

  // An edit that was handed over before a flush had been answered for was put where it was to be heard, and what the
  // flush had discarded before that was silence, by which time went on: 987 ms until another flush (chaos).
  @Test func `what follows changes behind a flush that is not answered yet, and nothing is lost`() {
    player.playlist.append(contentsOf: [PlaylistItem(path: "first"), PlaylistItem(path: "next")])
    player.play()
    waitUntilEnqueued()
    step(19_000)
    output.holdAnswers()
    player.renderer.flush()
    player.playlist.replace(at: 1, with: PlaylistItem(path: "other"))
    wait { player.serializer.queue.sync { player.serializer.state.spliceInFlight != nil } }
    output.answer()
    waitUntilEnqueued()
    for _ in 0..<1_800 { step(100) }
    let end = Float(NumberedSource.length)
    let runs = runs
    guard runs.count == 3 else {
      Issue.record("three runs: \(runs)")
      return
    }
    #expect(runs[0].lowerBound == 1 && runs[1].upperBound == end && runs[2] == 1...end, "\(runs)")
    // One fades out for 240 frames, and the next one in.
    #expect(runs[1].lowerBound - runs[0].upperBound < 480, "\(runs)")
  }
}
