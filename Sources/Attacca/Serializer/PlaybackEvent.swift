// SPDX-License-Identifier: Apache-2.0

public import MediaTime
import Rendering
public import SoundFiles

/// An event that a listener would notice, in the order in which it happens.
public enum PlaybackEvent: Sendable {
  /// Another item is heard now; nil after the last one.
  case currentItemDidChange(PlaylistItem?)
  /// Another chapter of the current item is heard now, the innermost one; nil where none is.
  ///
  /// Of an item with chapters it follows `currentItemDidChange`.
  case chapterDidChange(Chapter?)
  /// The rate is another now, whoever changed it.
  case rateDidChange(Double)
  /// The exact length of an item is known now, which its file's header does not tell.
  case durationDidChange(PlaylistItem, MediaTime)
  /// An item says something else of itself from what is heard now on: the title of a broadcast.
  case tagsDidChange(PlaylistItem, Tags)
  /// The last frame of an item has been heard.
  case itemDidFinish(PlaylistItem)
  /// Items cannot be played, or not to their ends; the next one follows what was played of them.
  ///
  /// One failure comes by itself as soon as it is met. Those in a row that a subscriber has not
  /// received yet are one event, in order. Behind twenty in a row `ItemFailure.furtherCount` says how
  /// many more one failure stands for: of 1,000,000 missing files twenty are told one by one.
  case itemsDidFail([ItemFailure])
  /// A file has been slow for a quarter of a second, and what is to be heard next waits for it: what
  /// is heard now goes on if it can, and the playhead holds if not.
  case waitingBegan(PlaybackWait)
  /// The wait is over: the file opened or read on, failed, or is not wanted any more.
  case waitingEnded(PlaybackWait)
  /// The device ran out of frames; `at` is heard as soon as there are more.
  case underrun(at: MediaTime)
  /// The output changed by itself, and has another format.
  case outputDidChange
  /// The sound goes to another device.
  case routeDidChange(RouteChange)
  /// The device that was asked for cannot be played on; the one before is kept.
  case deviceRefused(String, any Error)
  /// The sound server or its device is gone. The playhead holds, nothing is lost, and playing goes on
  /// by itself as soon as there is one again.
  case mediaServicesWereLost(any Error)
  /// There is a sound server again.
  case mediaServicesWereReset
  /// Something keeps the sound from being heard; the rate is 0 for as long.
  case interruptionBegan(Interruption)
  /// That is over; with `shouldResume` playing goes on, as no one has paused meanwhile.
  case interruptionEnded(Interruption, shouldResume: Bool)
  /// The server's volume or mute of this stream has been changed from outside; the renderer's own is
  /// apart.
  case outputVolumeDidChange(Float, isMuted: Bool)
  /// The algorithm that was asked for does not reach the rate: pitch follows it, as with `varispeed`.
  case pitchFollowsRate(AudioTimePitchAlgorithm, rate: Double)
  /// Playing has ended by `SampleBufferPlayer.sleepTimer`, and is paused where it goes on.
  case didFallAsleep
  /// The last frame of the last item has been heard.
  case endOfQueue
  /// So much silence has been left out of what was heard since this was told last, a second ago or less;
  /// `SampleBufferPlayer.skippedSilence` is the sum.
  case silenceSkipped(MediaTime)
  /// The playhead's offset in the current item, at the player's `progressInterval`.
  case progress(offset: MediaTime)
  /// The renderer plays nothing any more, as `AudioRenderer.status` says; nothing is current.
  ///
  /// Sent again for each start that is asked for afterwards.
  case failed(any Error)

  /// Says what `next` does too, where that takes no second event.
  ///
  /// - Returns: false, and nothing changed, where it does.
  mutating func absorb(_ next: PlaybackEvent) -> Bool {
    if case .itemsDidFail(let more) = next, case .itemsDidFail(var failures) = self {
      // Lets go of the array: with a second owner each failure would copy those before it.
      self = next
      ItemFailure.add(more, to: &failures)
      self = .itemsDidFail(failures)
      return true
    }
    if case .silenceSkipped(let more) = next, case .silenceSkipped(let length) = self {
      self = .silenceSkipped(length + more)
      return true
    }
    switch (self, next) {
    case (.progress, .progress), (.underrun, .underrun), (.outputDidChange, .outputDidChange),
      (.outputVolumeDidChange, .outputVolumeDidChange):
      self = next
      return true
    default: return false
    }
  }
}
