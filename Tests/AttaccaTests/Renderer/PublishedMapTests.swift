// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
import Synchronization
import Testing

@Suite struct PublishedMapTests {
  /// Runs one writer against two readers.
  ///
  /// `write` gets one number after the other, until each reader has read often enough, and the words
  /// have changed between its reads.
  private func race(
    write: @escaping @Sendable (Int) -> Void, read: @escaping @Sendable () -> Int
  ) {
    let readers = Atomic(2)
    withExtendedLifetime(readers) {
      DispatchQueue.concurrentPerform(iterations: 3) { thread in
        if thread == 0 {
          var i = 0
          while readers.load(ordering: .acquiring) > 0 {
            write(i)
            i += 1
          }
        } else {
          var (last, changes) = (-1, 0)
          while changes < 2_000 {
            let now = read()
            if now != last { changes += 1 }
            #expect(now >= last)
            last = now
          }
          readers.subtract(1, ordering: .releasing)
        }
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
      for i in 1..<8 { #expect(words[i] == words[0] + UInt64(i)) }
      return Int(words[0] / 10)
    }
  }

  @Test func `a reader never sees a map of two publications`() {
    let published = PublishedMap()
    race { i in
      var map = RenderMap(media: Int64(i), traversal: i)
      for piece in 1...(i % 7 + 1) {
        map.add(stream: Int64(piece), media: Int64(i + 10 * piece), isRunning: i % 2 == 0)
      }
      published.publish(map)
    } read: {
      let map = published.read()
      let first = Int(map.pieces[0].media)
      guard map.count > 1 else { return 0 }
      #expect(map.count == first % 7 + 2)
      for piece in 1..<map.count {
        let expected = RenderMap.Piece(
          stream: Int64(piece), media: Int64(first + 10 * piece), isRunning: first % 2 == 0,
          traversal: first + piece)
        #expect(map.pieces[piece] == expected)
      }
      return first
    }
  }

  @Test func `what is read is what was published, to the last piece`() {
    var map = RenderMap(media: -5)
    for i in 1...12 {
      map.add(stream: Int64(i) << 40, media: Int64(-7 * i), isRunning: i % 3 == 0)
      let published = PublishedMap()
      published.publish(map)
      #expect(published.read() == map)
    }
  }
}
