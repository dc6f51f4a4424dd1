// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
@testable import Rendering
import TestFixtures
import Testing

extension OfflineRenderer {
  /// What there is of `frames` frames of one channel, without waiting: none while it is paused.
  func pullOnce(_ frames: Int) -> [Float] {
    [Float](unsafeUninitializedCapacity: frames) { samples, count in
      count = render(frames: frames, into: samples.baseAddress!)
    }
  }
}

/// Ends that a sleep timer has in what is played: two items of 80,000 frames that count from zero, with chapters.
@Suite struct SleepTests {
  private static let format = AudioFormat(sampleRate: ChapteredSource.rate, layout: .mono)
  private static let fade = Fade.standard.frames(at: ChapteredSource.rate)
  private let offline = OfflinePlayback(format: SleepTests.format)
  private var player: SampleBufferPlayer { offline.player }

  init() {
    player.renderer.audioTimePitchAlgorithm = .varispeed
    let chapters = [Chapter("A", 0), Chapter("B", 20_001), Chapter("C", 50_000)]
    for name in ["one", "two"] {
      player.playlist.append(PlaylistItem(ChapteredSource(name, frames: 80_000, chapters)))
    }
  }

  private func time(_ frames: Int64) -> MediaTime {
    MediaTime(value: frames, timescale: Int32(ChapteredSource.rate))
  }

  private func frames(_ range: Range<Int>) -> [Float] { range.map(Float.init) }

  /// Plays `count` frames, and waits until item `name` is current.
  private func play(_ count: Int, _ name: String = "one") -> [Float] {
    player.play()
    let heard = offline.pull(count)
    offline.settle()
    wait { player.currentItem?.path == name }
    return heard
  }

  /// The `count` frames that are heard until the timer has playing end, behind which is silence.
  private func heardUntilAsleep(
    _ count: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) -> [Float] {
    let heard = offline.pull(count)
    wait(sourceLocation: sourceLocation) {
      #expect(offline.renderer.pullOnce(100).allSatisfy { $0 == 0 }, sourceLocation: sourceLocation)
      return player.sleepTimer == nil && player.rate == 0
    }
    offline.settle()
    #expect(!player.isPlaying, sourceLocation: sourceLocation)
    #expect(offline.renderer.pullOnce(100).allSatisfy { $0 == 0 }, sourceLocation: sourceLocation)
    return heard
  }

  /// Asserts that `heard` are frames up to `end`, those of the last `length` faded out.
  private func expect(
    _ heard: [Float], isFadedOver length: Int, before end: Int,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let first = end - heard.count
    let wanted = (first..<end).map { frame -> Float in
      let factor = min(1, Double(end - frame) / Double(length))
      return Float(Double(frame) * factor)
    }
    let wrong = zip(heard, wanted).enumerated().first { abs($1.0 - $1.1) > 0.05 }
    #expect(
      wrong == nil, "frame \(first + (wrong?.offset ?? 0)): \(wrong!)",
      sourceLocation: sourceLocation)
  }

  @Test func `the item's last frame is the last one heard, and the next item is the next start`() {
    _ = play(70_000)
    player.sleepTimer = SleepTimer(.item)
    offline.settle()
    expectFrames(heardUntilAsleep(10_000), is: frames(70_000..<80_000))
    #expect(player.timeControlStatus == .paused)
    player.play()
    expectFrames(offline.pull(1_000), is: frames(0..<1_000), behind: Self.fade)
    wait { player.currentItem?.path == "two" }
  }

  @Test(arguments: [(100, 20_001), (20_000, 20_001), (20_001, 50_000), (49_000, 50_000)])
  func `the chapter's last frame is the last one heard, and the next one the next start`(
    place: Int, end: Int
  ) {
    _ = play(place)
    player.sleepTimer = SleepTimer(.chapter)
    offline.settle()
    // Frame 20,000 has been pulled where 20,001 have.
    expectFrames(heardUntilAsleep(end - place), is: frames(place..<end))
    #expect(player.currentTime == time(Int64(end)))
    player.play()
    expectFrames(offline.pull(1_000), is: frames(end..<(end + 1_000)), behind: Self.fade)
  }

  @Test func `the last chapter ends with the item`() {
    _ = play(60_000)
    player.sleepTimer = SleepTimer(.chapter)
    offline.settle()
    expectFrames(heardUntilAsleep(20_000), is: frames(60_000..<80_000))
  }

  @Test func `items are counted as they are heard`() {
    _ = play(79_000)
    player.sleepTimer = SleepTimer(.items(2))
    offline.settle()
    _ = play(2_000, "two")
    #expect(player.sleepTimer?.end == .items(1))
    expectFrames(offline.pullToEnd(), is: frames(1_000..<80_000))
  }

  @Test(arguments: [1, 24_000, 60_000])
  func `what was faded before the end of an item is heard again`(length: Int) {
    _ = play(10_000)
    player.sleepTimer = SleepTimer(.item, fade: time(Int64(length)))
    offline.settle()
    let heard = heardUntilAsleep(70_000)
    expect(heard, isFadedOver: length, before: 80_000)
    #expect(player.currentTime == time(Int64(80_000 - length)))
    player.play()
    let again = offline.pull(length + 1_000)
    expectFrames(
      again, is: frames((80_000 - length)..<80_000) + frames(0..<1_000), behind: Self.fade)
  }

  @Test func `what was faded before the end of a chapter may begin in the one before`() {
    _ = play(21_000)
    player.sleepTimer = SleepTimer(.chapter, fade: time(40_000))
    offline.settle()
    let heard = heardUntilAsleep(29_000)
    // The fade had begun before the timer was set: 5 ms lead to it.
    expect(Array(heard.dropFirst(Self.fade)), isFadedOver: 40_000, before: 50_000)
    #expect(player.currentTime == time(10_000))
    player.play()
    expectFrames(offline.pull(60_000), is: frames(10_000..<70_000), behind: Self.fade)
  }

  @Test func `a fade is multiplied by an automation of the item`() {
    var automation = VolumeAutomation()
    automation.setVolumeRamp(
      fromStartVolume: 1, toEndVolume: 0.5,
      timeRange: MediaTimeRange(start: time(60_000), duration: time(10_000)))
    let id = player.playlist[0].id
    #expect(throws: Never.self) { try player.playlist.setVolumeAutomation(automation, of: id) }
    _ = play(50_000)
    player.sleepTimer = SleepTimer(.item, fade: time(24_000))
    offline.settle()
    let heard = heardUntilAsleep(30_000)
    let wrong = heard.enumerated().first { offset, value -> Bool in
      let frame = Double(50_000 + offset)
      let own = frame < 60_000 ? 1 : max(0.5, 1 - (frame - 60_000) / 20_000)
      let factor = own * min(1, (80_000 - frame) / 24_000)
      return abs(Double(value) - frame * factor) > 0.2
    }
    #expect(wrong == nil)
  }

  @Test func `a seek goes to the end of the chapter there`() {
    _ = play(1_000)
    player.sleepTimer = SleepTimer(.chapter)
    offline.settle()
    offline.splicing { player.seek(to: time(30_000)) }
    _ = offline.pull(1_000)
    wait { player.serializer.shared.snapshot.sleep?.chapter?.end == RationalTime(time(50_000)) }
    offline.settle()
    expectFrames(heardUntilAsleep(19_000), is: frames(31_000..<50_000))
  }

  @Test func `a skip goes to the end of the item that is skipped to`() {
    _ = play(1_000)
    player.sleepTimer = SleepTimer(.item, fade: time(8_000))
    offline.settle()
    offline.splicing { player.next() }
    let heard = heardUntilAsleep(80_000)
    expect(Array(heard.dropFirst(Self.fade)), isFadedOver: 8_000, before: 80_000)
    wait { player.currentTime == time(72_000) }
  }

  @Test func `a timer that is taken back leaves everything as it was`() {
    _ = play(75_000)
    player.sleepTimer = SleepTimer(.item, fade: time(10_000))
    offline.settle()
    _ = offline.pull(1_000)
    player.sleepTimer = nil
    offline.settle()
    expectFrames(
      offline.pullToEnd(), is: frames(76_000..<80_000) + frames(0..<80_000), behind: Self.fade)
  }

  @Test func `backwards the chapter's first frame is the last one heard`() {
    player.defaultRate = -1
    _ = play(100, "two")
    player.sleepTimer = SleepTimer(.chapter, fade: time(4_000))
    offline.settle()
    let heard = heardUntilAsleep(29_900)
    let wanted = (50_000..<79_900).reversed().map { frame -> Float in
      let factor = min(1, Double(frame - 50_000) / 4_000)
      return Float(Double(frame) * factor)
    }
    #expect(heard.count == wanted.count)
    let wrong = zip(heard, wanted).enumerated().first { abs($1.0 - $1.1) > 0.05 }
    #expect(wrong == nil, "\(wrong!)")
    player.play()
    expectFrames(offline.pull(8_000), is: frames(46_000..<54_000).reversed(), behind: Self.fade)
  }

  @Test func `at another speed the fade is as long in the item`() {
    _ = play(60_000)
    player.sleepTimer = SleepTimer(.item, fade: time(8_000))
    offline.settle()
    player.rate = 2
    offline.settle()
    let heard = heardUntilAsleep(10_000)
    // Every other frame; behind what the filter makes of the beginning and the end.
    let wrong = heard.enumerated().dropFirst(100).dropLast(100).first { offset, value -> Bool in
      let frame = Double(60_000 + 2 * offset)
      let factor = min(1, (80_000 - frame) / 8_000)
      return abs(Double(value) - frame * factor) > 20
    }
    #expect(wrong == nil, "\(wrong!)")
    #expect(player.currentTime == time(72_000))
  }

  @Test func `the end of the list is told as ever, and with a fade it goes on there`() {
    player.playlist.remove(at: 1)
    _ = play(70_000)
    player.sleepTimer = SleepTimer(.item, fade: time(5_000))
    offline.settle()
    _ = heardUntilAsleep(10_000)
    wait { player.currentTime == time(75_000) }
    player.sleepTimer = SleepTimer(.item)
    offline.settle()
    player.play()
    #expect(offline.pullToEnd().count == 5_000)
    wait { player.currentItem == nil }
  }
}
