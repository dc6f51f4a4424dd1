// SPDX-License-Identifier: Apache-2.0

public import MediaTime
import Rendering

extension SampleBufferPlayer {
  /// The sleep timer that is set; nil, the default, for none.
  ///
  /// At its end playing pauses, and with it the device: `PlaybackEvent.didFallAsleep`. What was faded is heard again:
  /// `play()` goes on where the fade began; without a fade, at the end, which is the beginning of the next item where it
  /// was an item's. The end of a chapter or an item is exact: its last frame is the last one heard. Where the list ends
  /// there without a fade, `endOfQueue` is told as ever.
  ///
  /// Ends in what is played follow what is current: behind a skip it is the end of the item or the chapter that was
  /// skipped to, and `items` counts those that were heard to their ends. A seek, a skip or a jump within the fade before a
  /// moment says that someone is awake: the timer is off, and the volume back. That fade is the renderer's
  /// `volumeAutomation` for as long as it lasts.
  ///
  /// A timer of so many items counts down; set again, each begins anew.
  public var sleepTimer: SleepTimer? {
    get {
      guard let sleep = playlist.queue.snapshot.sleep else { return nil }
      guard sleep.itemsLeft > 0 else { return sleep.timer }
      return SleepTimer(.items(sleep.itemsLeft), fade: sleep.timer.fade)
    }
    set {
      let span = currentSpan
      playlist.queue.edit { state, hearing in
        state.setSleep(newValue, span?.chapterMap, of: span?.range.occurrence, hearing: hearing)
        return []
      }
    }
  }

  /// Real time left until a sleep timer ends that ends `after` a time; nil where none is set.
  public var timeToSleep: MediaTime? {
    playlist.queue.snapshot.sleep?.deadline.map { deadline in
      let (now, most) = (HostTime.now(), UInt64(Int64.max))
      let left = deadline > now ? min(deadline - now, most) : 0
      return MediaTime(value: Int64(left / 1_000_000), timescale: 1_000)
    }
  }
}
