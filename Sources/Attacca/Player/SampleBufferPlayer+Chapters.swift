// SPDX-License-Identifier: Apache-2.0

public import SoundFiles

// Chapters of what is heard.
extension SampleBufferPlayer {
  /// The chapters of the current item, by its own time; empty where it has none, and when stopped.
  public var chapters: [Chapter] { currentSpan?.chapters ?? [] }

  /// The innermost chapter that is heard now; nil where none is.
  ///
  /// `PlaybackEvent.chapterDidChange` tells of each change. To go to one, seek to its start.
  public var currentChapter: Chapter? { serializer.nowPlaying.chapterOfItem?.chapter }

  /// Goes to the next chapter of the current item, keeping the rate; behind its last one, and where it has none, to
  /// the next item, as `next()` does.
  ///
  /// Backwards it is the next chapter of the item too, from its end.
  @discardableResult
  public func nextChapter() -> Edit {
    move { state, map, occurrence, hearing in
      state.skipChapter(map, of: occurrence, hearing: hearing)
    }
  }

  /// Goes back to the start of the chapter, or, within its first 3 seconds, to the chapter before.
  ///
  /// Backwards it is always the chapter before, from its end. Before the first one it does what `previous()` does.
  @discardableResult
  public func previousChapter() -> Edit {
    move { state, map, occurrence, hearing in
      state.goBackAChapter(map, of: occurrence, hearing: hearing)
    }
  }

  /// Has the chapter that is heard be played over and over, as `setLoop(from:to:)` has any part.
  ///
  /// A chapter with parts of its own goes up to the first of them, the item's last one to the item's end. Nothing happens where no chapter is heard. `endLoop()` plays on behind it.
  @discardableResult
  public func loopChapter() -> Edit {
    move { state, map, occurrence, hearing in
      state.loopChapter(map, of: occurrence, hearing: hearing)
    }
  }

  private func move(
    _ body: (inout QueueState, ChapterMap?, Occurrence?, HeardPosition?) -> Void
  ) -> Edit {
    let span = currentSpan
    return playlist.queue.edit { state, hearing in
      let generation = state.generation
      body(&state, span?.chapterMap, span?.range.occurrence, hearing)
      return state.generation == generation ? [] : state.current.map { [$0.id] } ?? []
    }
  }
}
