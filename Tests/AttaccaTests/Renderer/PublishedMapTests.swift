// SPDX-License-Identifier: Apache-2.0

import Attacca
import MediaTime
@testable import Rendering
import Synchronization
import Testing

@Suite struct PublishedMapTests {
  private final class Readers: Sendable {
    let count = Atomic(2)
  }

  /// Runs one writer against two readers.
  ///
  /// `write` gets one number after the other, until each reader has read often enough, and the words
  /// have changed between its reads.
  private func race(
    write: @escaping @Sendable (Int) -> Void, read: @escaping @Sendable () -> Int
  ) {
    let reading = Readers()
    onThreads(3) { thread in
      if thread == 0 {
        var i = 0
        while reading.count.load(ordering: .acquiring) > 0 {
          write(i)
          i += 1
        }
      } else {
        var (last, changes) = (-1, 0)
        while changes < 500 {
          let now = read()
          if now != last { changes += 1 }
          if now < last { Issue.record("\(now) was read after \(last)") }
          last = now
        }
        reading.count.subtract(1, ordering: .releasing)
      }
    }
  }

  @Test func `a reader never sees words of two writes`() {
    let lock = SeqLock(count: 8)
    race { i in
      lock.write { UInt64(i * 10 + $0) }
    } read: {
      var words = InlineArray<8, UInt64>(repeating: 0)
      lock.read { words[$0] = $1 }
      guard words[0] > 0 else { return 0 }
      for i in 1..<8 where words[i] != words[0] + UInt64(i) { Issue.record("torn at \(words[0])") }
      return Int(words[0] / 10)
    }
  }

  @Test func `a reader never sees a map of two publications`() {
    let published = PublishedMap()
    race { i in
      var map = RenderMap(media: TimelineFrame(Int64(i)), rate: 48_000 + i, traversal: i)
      for piece in 1...(i % 7 + 1) {
        map.add(
          stream: StreamFrame(Int64(piece)), media: TimelineFrame(Int64(i + 10 * piece)),
          rate: 48_000 + i,
          isRunning: i % 2 == 0)
      }
      published.publish(map)
    } read: {
      let map = published.read()
      let first = Int(map.pieces[0].media.number)
      guard map.count > 1 else { return 0 }
      if map.count != first % 7 + 2 { Issue.record("torn at \(first)") }
      for piece in 1..<map.count {
        let expected = RenderMap.Piece(
          stream: StreamFrame(Int64(piece)), media: TimelineFrame(Int64(first + 10 * piece)),
          rate: 48_000 + first,
          isRunning: first % 2 == 0, traversal: first + piece)
        if map.pieces[piece] != expected { Issue.record("torn at \(first)") }
      }
      return first
    }
  }

  @Test func `what is read is what was published, to the last piece`() {
    var map = RenderMap(media: -5, rate: 48_000)
    for i in 1...12 {
      map.add(
        stream: StreamFrame(Int64(i) << 40), media: TimelineFrame(Int64(-7 * i)), rate: 48_000 + i,
        isRunning: i % 3 == 0)
      let published = PublishedMap()
      published.publish(map)
      #expect(published.read() == map)
    }
  }
}
