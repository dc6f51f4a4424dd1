// SPDX-License-Identifier: Apache-2.0

import Attacca
import MediaTime
@testable import Rendering
import Testing

@Suite struct RenderMapTests {
  @Test func `media time holds, runs and holds again`() {
    var map = RenderMap(media: 7, rate: 48_000)
    map.add(stream: 100, media: 7, rate: 48_000, isRunning: true)
    map.add(stream: 150, media: 57, rate: 48_000, isRunning: false)
    #expect(
      [0, 99, 100, 101, 149, 150, 900].map { map.media(at: $0) } == [7, 7, 7, 8, 56, 57, 57])
    #expect((0..<map.count).map { map.pieces[$0].traversal } == [0, 0, 0])
  }

  @Test func `a jump begins another traversal and a seamless start does not`() {
    var map = RenderMap(media: 0, rate: 48_000)
    map.add(stream: 10, media: 0, rate: 48_000, isRunning: true)
    map.add(stream: 20, media: 500, rate: 48_000, isRunning: true)
    map.add(stream: 30, media: 510, rate: 48_000, isRunning: false)
    #expect([5, 15, 25, 35].map { map.piece(at: $0).traversal } == [0, 0, 1, 1])
    #expect(map.stream(ofMedia: 505) == nil)
    #expect(map.stream(ofMedia: 510) == 30)
  }

  @Test func `a piece that is never heard does not lend its traversal to another jump`() {
    var map = RenderMap(media: 0, rate: 48_000)
    map.add(stream: 10, media: 0, rate: 48_000, isRunning: true)
    map.add(stream: 20, media: 500, rate: 48_000, isRunning: true)
    let unheard = map.last.traversal
    map.add(stream: 15, media: 900, rate: 48_000, isRunning: true)
    #expect(map.last.traversal > unheard)
    map.add(stream: 12, media: 2, rate: 48_000, isRunning: false)
    map.add(stream: 13, media: 70, rate: 48_000, isRunning: false)
    #expect(map.last.traversal > unheard + 1)
  }

  @Test func `a piece forgets those at and after its frame`() {
    var map = RenderMap(media: 0, rate: 48_000)
    map.add(stream: 10, media: 0, rate: 48_000, isRunning: true)
    map.add(stream: 30, media: 90, rate: 48_000, isRunning: true)
    map.add(stream: 20, media: 50, rate: 48_000, isRunning: true)
    #expect([15, 20, 35].map { map.media(at: $0) } == [5, 50, 65])
    #expect(map.stream(ofMedia: 60) == 30)
  }

  @Test func `only the oldest pieces are lost when there are too many`() {
    var map = RenderMap(media: 0, rate: 48_000)
    for i in 1...20 {
      map.add(
        stream: StreamFrame(Int64(10 * i)), media: TimelineFrame(Int64(1_000 * i)), rate: 48_000,
        isRunning: true)
    }
    #expect(map.count == RenderMap.capacity)
    for i in 13...20 {
      #expect(map.media(at: StreamFrame(Int64(10 * i + 3))).number == 1_000 * i + 3)
    }
    #expect(map.last.traversal == 20)
  }

  @Test func `holding elsewhere forgets everything and is a jump`() {
    var map = RenderMap(media: 0, rate: 48_000)
    map.add(stream: 10, media: 0, rate: 48_000, isRunning: true)
    map.hold(at: 3, rate: 48_000)
    #expect(map == RenderMap(media: 3, rate: 48_000, traversal: 1))
    #expect(map.media(at: 1_000) == 3)
  }

  @Test func `the last jump is where its stretch of media time began, if that is remembered`() {
    var map = RenderMap(media: 0, rate: 48_000)
    map.add(stream: 10, media: 0, rate: 48_000, isRunning: true)
    #expect(map.lastJump == nil)
    map.add(stream: 30, media: 90, rate: 48_000, isRunning: true)
    for i in 1...6 {
      let frame = StreamFrame(Int64(30 + 10 * i))
      map.add(stream: frame, media: map.media(at: frame), rate: 48_000, isRunning: i % 2 == 0)
      #expect(map.lastJump == 30)
    }
    // Nor is what was before it.
    map.add(stream: 100, media: map.media(at: 100), rate: 48_000, isRunning: true)
    #expect(map.lastJump == nil)
  }
}
