// SPDX-License-Identifier: Apache-2.0

import Attacca
import MediaTime
@testable import Rendering
import Testing

@Suite struct RenderLineTests {
  /// Runs from stream frame 0 with frames 1...
  ///
  /// `count` for timeline frames 0 and following.
  private func running(_ count: Int, capacity: Int = 1_000) -> RenderLine {
    var line = RenderLine(channelCount: 1, capacity: capacity, rate: 48_000)
    line.append(ramp(1, count), media: 0)
    line.start(at: 0, fade: 0)
    return line
  }

  // MARK: Content

  @Test func `a gap is silence and late frames are dropped`() {
    var line = RenderLine(channelCount: 1, capacity: 20, rate: 48_000)
    #expect(line.append(ramp(1, 3), media: 40) == 3)
    #expect(line.append(ramp(4, 2), media: 45) == 2)
    #expect(line.append(ramp(9, 4), media: 44) == 4)
    #expect(line.append(ramp(9, 4), media: 20) == 4)
    line.start(at: 100, media: 40, fade: 0)
    #expect(line.rendered(98..<110) == [0, 0, 1, 2, 3, 0, 0, 4, 5, 12, 0, 0])
    #expect(line.contentEnd == 48)
  }

  @Test func `what finds no room is told`() {
    var line = RenderLine(channelCount: 1, capacity: 8, rate: 48_000)
    #expect(line.append(ramp(1, 6), media: 0) == 6)
    #expect(line.append(ramp(7, 6), media: 6) == 2)
    #expect(line.append(ramp(9, 1), media: 8) == 0)
    line.start(at: 0, fade: 0)
    line.play(upTo: 3)
    #expect(line.append(ramp(9, 1), media: 10) == 1)
    #expect(line.rendered(3..<12) == [4, 5, 6, 7, 8, 0, 0, 9, 0])
  }

  @Test func `the first content after a flush decides where it lies`() {
    var line = RenderLine(channelCount: 1, capacity: 100, rate: 48_000)
    line.append(ramp(1, 5), media: 0)
    line.drop()
    line.append(ramp(50, 3), media: 1_000)
    line.hold(at: 1_001)
    line.start(at: 7, fade: 0)
    #expect(line.rendered(6..<10) == [0, 51, 52, 0])
  }

  @Test func `far content after a paused seek needs no way of silence`() {
    var line = running(30, capacity: 100)
    line.play(upTo: 10)
    _ = line.stop(at: 12, fade: 0)
    #expect(line.cut(fromMedia: 12, replaceableFrom: 12) == true)
    line.hold(at: 1_000_000)
    #expect(line.append(ramp(70, 3), media: 1_000_000) == 3)
    #expect(line.lead(past: 12) == 3)
    line.start(at: 20, fade: 0)
    #expect(line.rendered(19..<24) == [0, 70, 71, 72, 0])
  }

  @Test func `the lead is what lies ahead of what is heard`() {
    var line = RenderLine(channelCount: 1, capacity: 100, rate: 48_000)
    line.append(ramp(1, 10), media: 0)
    #expect(line.lead(past: 900) == 10)
    line.hold(at: 4)
    #expect(line.lead(past: 900) == 6)
    line.start(at: 50, fade: 0)
    #expect(line.lead(past: 52) == 4)
    #expect(line.lead(past: 99) == 0)
  }

  // MARK: Transport

  @Test func `after a pause exactly the next frame is heard`() {
    var line = running(30)
    line.play(upTo: 10)
    #expect(line.stop(at: 12, fade: 0) == 12)
    #expect(line.transport == .idle(media: 12))
    #expect(line.rendered(10..<14) == [11, 12, 0, 0])
    line.start(at: 500, fade: 0)
    #expect(line.rendered(499..<503) == [0, 13, 14, 15])
    #expect([11, 12, 499, 500, 501].map { line.map.media(at: $0) } == [11, 12, 12, 12, 13])
  }

  @Test func `a pause fades out behind its frame, and what was faded is heard again`() {
    var line = running(30)
    #expect(line.stop(at: 10, fade: 4) == 14)
    #expect(line.rendered(9..<16) == [10, 11, 9, 6.5, 3.5, 0, 0])
    line.start(at: 100, fade: 4)
    #expect(line.rendered(99..<105) == [0, 0, 3, 6.5, 10.5, 15])
  }

  // It was cut where less than the fade was left.
  @Test func `a pause right before the end of what is there fades over what is left`() {
    var line = running(30)
    #expect(line.stop(at: 28, fade: 4) == 32)
    #expect(line.rendered(27..<32) == [28, 29, 15, 0, 0])
    line.append(ramp(31, 10), media: 30)
    line.start(at: 100, fade: 2)
    #expect(line.rendered(99..<104) == [0, 0, 15, 31, 32])
  }

  @Test func `only a sound that was interrupted fades in`() {
    var line = RenderLine(channelCount: 1, capacity: 100, rate: 48_000)
    line.append(ramp(1, 10), media: 0)
    line.start(at: 20, fade: 4)
    #expect(line.rendered(20..<23) == [1, 2, 3])
  }

  @Test func `a stall holds media time at what was written, and nothing is skipped`() {
    var line = running(10)
    line.play(upTo: 6)
    line.stall()
    #expect(line.transport == .stalled(media: 6))
    #expect(line.rendered(6..<9) == [7, 8, 9])
    line.append(ramp(11, 5), media: 10)
    line.start(at: 40, fade: 0)
    #expect(line.rendered(40..<50) == ramp(7, 9) + [0])
    #expect([5, 6, 20, 40, 42].map { line.map.media(at: $0) } == [5, 6, 6, 6, 8])
  }

  /// A line that was written up to 6 and jumps to frame 900 at 10.
  private func spliced() -> RenderLine {
    var line = running(30)
    line.wrote(upTo: 6)
    line.replace(from: 10, with: staged(ramp(70, 5), media: 900), fade: 0, isJump: true)
    return line
  }

  @Test func `a stall before a splice that is on its way holds where that begins`() {
    var line = spliced()
    let traversal = line.map.last.traversal
    line.stall()
    #expect(line.transport == .stalled(media: 900))
    #expect(line.map.last.traversal == traversal)
    line.start(at: 40, fade: 0)
    #expect(line.rendered(39..<46) == [0] + ramp(70, 5) + [0])
    #expect(line.map.last.traversal == traversal)
    #expect([5, 6, 39, 40, 42].map { line.map.media(at: $0) } == [5, 900, 900, 900, 902])
  }

  // Where the server moved a stream in the middle of underruns, the player knew no item of what was heard from then on
  // (chaos, SEED=444115).
  @Test(arguments: [3, 6, 40])
  func `what goes on behind a stall is no jump, wherever the device is by then`(
    frame: StreamFrame
  ) {
    var line = spliced()
    let traversal = line.map.last.traversal
    line.stall()
    line.start(at: frame, fade: 0)
    #expect(line.rendered(frame..<(frame + 5)) == ramp(70, 5))
    #expect(line.map.last.traversal == traversal)
    #expect(line.map.media(at: frame + 2) == 902)
  }

  // Until another device had content, the player's time was zero.
  @Test func `a line for another device goes on with the traversal that was heard next`() {
    var line = spliced()
    let traversal = line.map.last.traversal
    line.stall()
    var next = RenderLine(
      channelCount: 1, capacity: 100, rate: 44_100, sampleRate: 44_100, replacing: line, from: 6,
      at: 900)
    #expect(next.map.last.traversal == traversal)
    let unheard = line.map.lastTraversal
    next.hold(at: 7)
    #expect(next.map.last.traversal > unheard)
  }

  @Test(arguments: [false, true])
  func `what is stopped behind its content holds at the end of that, and time does not jump`(
    isFlushed: Bool
  ) {
    var line = running(10)
    line.play(upTo: 10)
    if isFlushed {
      #expect(line.fadeOutForGood(at: 15, fade: 0) == 15)
    } else {
      #expect(line.stop(at: 15, fade: 0) == 15)
    }
    #expect(line.idleMedia == 10)
    #expect(line.map.last.traversal == 0)
    #expect([9, 10, 12, 15, 20].map { line.map.media(at: $0) } == [9, 10, 10, 10, 10])
    line.append(ramp(11, 5), media: 10)
    line.start(at: 20, fade: 0)
    #expect(line.rendered(19..<26) == [0] + ramp(11, 5) + [0])
    #expect(line.map.last.traversal == 0)
  }

  @Test func `the end leaves the line idle behind the last frame`() {
    var line = running(10)
    line.finish(true)
    line.play(upTo: 10)
    line.end()
    #expect(line.transport == .idle(media: 10))
    #expect(line.lead(past: 10) == 0)
    line.append(ramp(11, 2), media: 10)
    line.start(at: 30, fade: 4)
    #expect(line.rendered(29..<33) == [0, 11, 12, 0])
  }

  @Test func `starting elsewhere while running jumps there`() {
    var line = running(30)
    line.play(upTo: 5)
    line.start(at: 8, media: 20, fade: 0)
    #expect(line.rendered(8..<19) == ramp(21, 10) + [0])
    #expect(line.map.last.traversal == 1)
  }

  @Test func `holding while running is the end of what is heard`() {
    var line = running(30)
    line.play(upTo: 5)
    line.hold(at: 3)
    #expect(line.transport == .idle(media: 3))
    #expect(line.map.media(at: 100) == 3)
  }

  @Test func `what finds no room is refused, and nothing is changed`() {
    let long = staged(ramp(1, 9), media: 0)
    var line = RenderLine(channelCount: 1, capacity: 8, rate: 48_000)
    line.append(ramp(11, 4), media: 0)
    for isRunning in [false, true] {
      if isRunning { line.start(at: 0, fade: 0) }
      let (transport, generation) = (line.transport, line.generation)
      let isReplaced = line.replace(from: 1, with: long, fade: 2, isJump: true)
      let isHeldReplaced = !isRunning && line.replaceHeld(with: long)
      #expect(!isReplaced && !isHeldReplaced)
      #expect(line.transport == transport && line.generation == generation)
      #expect(line.rendered(0..<4) == ramp(11, 4))
    }
    // What lies before it is still heard.
    let fits = [7, 6].map { line.replace(from: 2, with: staged(ramp(1, $0), media: 2), fade: 0) }
    #expect(fits == [false, true])
    #expect(line.rendered(0..<8) == [11, 12] + ramp(1, 6))
  }

  // MARK: Splices

  @Test func `a replacement without a fade begins exactly at its frame`() {
    var line = running(30)
    line.replace(from: 10, with: staged(ramp(500, 4), media: 700), fade: 0)
    #expect(line.rendered(8..<16) == [9, 10, 500, 501, 502, 503, 0, 0])
    #expect([9, 10, 12].map { line.map.media(at: $0) } == [9, 700, 702])
    line.append(ramp(504, 2), media: 704)
    #expect(line.rendered(13..<17) == [503, 504, 505, 0])
    // Frames before the splice that the output had not been given are still due.
    #expect(line.written == 0)
  }

  @Test func `a replacement with the audio that was there changes no time`() {
    var line = running(30)
    line.replace(from: 10, with: staged(ramp(11, 20), media: 10), fade: 0)
    #expect(line.rendered(0..<31) == ramp(1, 30) + [0])
    #expect(line.map.last.traversal == 0 && line.map.count == 2)
  }

  @Test func `a replacement with a fade goes from the old frames into the new`() {
    var line = RenderLine(channelCount: 1, capacity: 1_000, rate: 48_000)
    line.append([Float](repeating: 1, count: 100), media: 0)
    line.start(at: 0, fade: 0)
    line.replace(
      from: 10, with: staged([Float](repeating: 0, count: 40), media: 500), fade: 20)
    let heard = line.rendered(0..<50)
    #expect(heard[..<10] == ArraySlice(repeating: 1, count: 10))
    #expect(heard[30...] == ArraySlice(repeating: 0, count: 20))
    for i in 10..<30 { #expect(heard[i] < heard[i - 1] && heard[i - 1] - heard[i] < 0.08) }
  }

  @Test func `a replacement before what the ring holds begins at its frame`() {
    var line = RenderLine(channelCount: 1, capacity: 100, rate: 48_000)
    line.append(ramp(1, 20), media: 0)
    line.start(at: 50, fade: 0)
    // The next position that the device tells may be nearer than the one of the start.
    line.replace(from: 45, with: staged(ramp(70, 10), media: 900), fade: 0)
    #expect(line.rendered(43..<57) == [0, 0] + ramp(70, 10) + [0, 0])
    #expect(line.contentEnd == 910)
  }

  @Test func `a replacement while nothing is heard waits there`() {
    var line = running(30)
    line.play(upTo: 5)
    _ = line.stop(at: 5, fade: 0)
    line.replace(from: 5, with: staged(ramp(70, 4), media: 900), fade: 4)
    #expect(line.rendered(5..<9) == [0, 0, 0, 0])
    #expect(line.transport == .idle(media: 900))
    line.start(at: 60, fade: 0)
    #expect(line.rendered(60..<65) == [70, 71, 72, 73, 0])
  }

  @Test func `a cut keeps what comes before it`() {
    var line = running(30)
    line.play(upTo: 3)
    let generation = line.generation
    #expect(line.cut(fromMedia: 20, replaceableFrom: 5) == true)
    #expect(line.rendered(18..<22) == [19, 20, 0, 0])
    #expect(line.generation == generation + 1)
    line.append(ramp(90, 2), media: 20)
    #expect(line.rendered(18..<23) == [19, 20, 90, 91, 0])
  }

  @Test func `a cut that comes too late changes nothing`() {
    var line = running(30)
    let generation = line.generation
    #expect(line.cut(fromMedia: 4, replaceableFrom: 5) == false)
    #expect(line.rendered(0..<30) == ramp(1, 30))
    #expect(line.generation == generation)
    #expect(line.cut(fromMedia: 30, replaceableFrom: 5) == true)
    #expect(line.generation == generation)
  }

  @Test func `a flush fades out, holds the time and takes new content from there`() {
    var line = running(30)
    line.play(upTo: 10)
    #expect(line.fadeOutForGood(at: 10, fade: 4) == 14)
    #expect(line.rendered(10..<15) == [11, 9, 6.5, 3.5, 0])
    line.drop()
    #expect(line.transport == .stalled(media: 10))
    line.append(ramp(90, 3), media: 10)
    line.start(at: 50, fade: 0)
    #expect(line.rendered(49..<54) == [0, 90, 91, 92, 0])
  }

  // MARK: Gain

  @Test func `what is rendered is content times gain`() {
    var line = RenderLine(channelCount: 2, capacity: 100, rate: 48_000)
    _ = line.append(ramp(1, 40), media: 0, count: 20)
    line.start(at: 0, fade: 0)
    line.setVolume(0.5, at: 4, length: 4)
    let gains: [Float] = [1, 1, 1, 1, 1, 0.875, 0.75, 0.625, 0.5, 0.5]
    let expected = gains.enumerated().flatMap { i, gain in
      [Float(2 * i + 1) * gain, Float(2 * i + 2) * gain]
    }
    #expect(line.rendered(0..<10) == expected)
  }

  @Test func `frames are the same to the bit however they are cut into pieces`() {
    var line = running(600, capacity: 601)
    line.setVolume(0.3, at: 37, length: 239)
    _ = line.stop(at: 290, fade: 240)
    let whole = line.rendered(0..<600)
    for size in [1, 7, 64, 241] {
      var pieces: [Float] = []
      for start in stride(from: 0, to: 600, by: size) {
        pieces += line.rendered(
          StreamFrame(Int64(start))..<StreamFrame(Int64(min(start + size, 600))))
      }
      #expect(pieces == whole)
    }
  }

  // MARK: A splice that comes too late

  /// A line whose frames count from 1 and, from stream frame 500 on, from 10,001, after a crossfade of
  /// 100 frames, of which the device has been given all.
  private func spliced(reach: Int) -> RenderLine {
    var line = running(2_000, capacity: 4_000)
    line.replace(
      from: 500, with: staged(ramp(10_001, 1_000), media: 0), fade: 100, isJump: true,
      reach: reach)
    line.wrote(upTo: 1_500)
    return line
  }

  @Test(arguments: [1, 50, 99, 100, 300])
  func `a splice that is delayed is the one that would have been made there`(late: Int) {
    var line = spliced(reach: 300)
    let k = StreamFrame(Int64(500 + late))
    let isDelayed = line.delaySplice(to: k)
    #expect(isDelayed)
    #expect(line.written == k)
    var other = running(2_000, capacity: 4_000)
    other.replace(
      from: k, with: staged(ramp(10_001, 1_000), media: 0), fade: 100, isJump: true)
    #expect(line.rendered(k..<1_600) == other.rendered(k..<1_600))
    #expect(line.map == other.map)
    // What is enqueued next continues it.
    line.append(ramp(11_001, 10), media: 1_000)
    #expect(line.rendered((k + 999)..<(k + 1_011)) == ramp(11_000, 11) + [0])
    // Once.
    let isDelayedAgain = line.delaySplice(to: k + 10)
    #expect(!isDelayedAgain)
  }

  @Test func `a splice out of reach, in time, or of what has changed since is left as it is`() {
    func check(_ k: StreamFrame, _ change: (inout RenderLine) -> Void = { _ in }) {
      var line = spliced(reach: 300)
      change(&line)
      let (before, written) = (line.rendered(400..<1_600), line.written)
      let isDelayed = line.delaySplice(to: k)
      #expect(!isDelayed)
      #expect(line.rendered(400..<1_600) == before && line.written == written)
    }
    check(801)
    check(500)
    check(550) { $0.forgetCrossfade() }
    check(550) { _ = $0.stop(at: 500, fade: 10) }
    check(550) { $0.replace(from: 520, with: staged(ramp(70, 1_000), media: 0), fade: 10) }
    check(550) { $0.drop() }
    // The next position that the device tells may be nearer than the one of the splice.
    check(550) { $0.start(at: 450, media: 600, fade: 0) }
    // An edit behind it, which leaves the map as it is.
    check(550) { _ = $0.cut(fromMedia: 300, replaceableFrom: 500) }
    check(550) { $0.replace(from: 800, with: staged(ramp(70, 700), media: 300), fade: 0) }
  }
}
