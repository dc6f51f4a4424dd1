// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import PulseAudio

@Suite struct WriteCursorTests {
  @Test func `a write goes on at the server's index where nothing has moved that`() {
    var cursor = WriteCursor()
    #expect(cursor.index == nil && cursor.isUntouched)
    cursor.wrote(upTo: 480)
    #expect(cursor.index == 480 && cursor.next == 480 && cursor.end == 480 && !cursor.isUntouched)
    cursor.forgetIndex()
    #expect(cursor.index == nil && cursor.next == 480)
  }

  @Test func `a write before the end leaves the end where it is, until it is cut off there`() {
    var cursor = WriteCursor()
    cursor.wrote(upTo: 960)
    cursor.wrote(upTo: 480)
    #expect(cursor.next == 480 && cursor.end == 960)
    cursor.truncated(at: 480)
    #expect(cursor.next == 480 && cursor.end == 480 && cursor.index == nil)
    cursor.wrote(upTo: 720)
    cursor.wrote(upTo: 600)
    cursor.ended(at: 600)
    #expect(cursor.next == 600 && cursor.end == 600 && cursor.index == 600)
  }

  @Test func `frames are counted from another one, and lower, without a write`() {
    var cursor = WriteCursor()
    cursor.begin(at: 1_000)
    #expect(cursor.first == 1_000 && cursor.next == 1_000 && cursor.isUntouched)
    cursor.wrote(upTo: 1_480)
    cursor.count(back: 400)
    #expect((cursor.first, cursor.next, cursor.end) == (600, 1_080, 1_080))
    #expect(cursor.index == 1_080)
  }
}
