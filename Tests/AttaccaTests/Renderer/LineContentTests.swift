// SPDX-License-Identifier: Apache-2.0

import MediaTime
import Testing

@testable import Rendering

@Suite struct LineContentTests {
  @Test func `other content takes back an end, a stop behind it, and what is refused`() {
    var content = LineContent(generation: 4)
    content.finish(true)
    content.stop(isBehindLast: true)
    content.refuse(from: 480)
    #expect(content.isFinished && content.isHeldAtEnd && content.refusedFrom == 480)
    content.replace()
    #expect(content == LineContent(generation: 5))
  }

  @Test func `content that is taken no more leaves the end as it is`() {
    var content = LineContent()
    content.finish(true)
    content.refuse(from: 480)
    content.advance()
    #expect(content.generation == 1 && content.isFinished && content.refusedFrom == nil)
  }

  @Test func `a stop is at the end only behind the last frame of what is finished`() {
    for (isFinished, isBehindLast) in [(true, true), (true, false), (false, true), (false, false)] {
      var content = LineContent()
      content.finish(isFinished)
      content.stop(isBehindLast: isBehindLast)
      #expect(content.isHeldAtEnd == (isFinished && isBehindLast))
      content.endHold()
      #expect(!content.isHeldAtEnd && content.isFinished == isFinished)
    }
    var content = LineContent()
    content.finish(true)
    content.stop(isBehindLast: true)
    // Said again: the end is to be heard anew.
    content.finish(true)
    #expect(!content.isHeldAtEnd)
  }

  @Test func `frames are taken up to the first of those that are refused`() {
    var content = LineContent()
    #expect(content.taken(of: 480, from: 1_000) == 480)
    content.refuse(from: 1_200)
    content.refuse(from: 1_300)
    for (media, taken) in [(0, 480), (720, 480), (721, 479), (1_199, 1), (1_200, 0), (2_000, 0)] {
      #expect(content.taken(of: 480, from: TimelineFrame(Int64(media))) == taken, "\(media)")
    }
  }
}
