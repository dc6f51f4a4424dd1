// SPDX-License-Identifier: Apache-2.0

public import Attacca
import MediaTime

// Going on where listening ended.
extension SampleBufferPlayer {
  /// Has the player's list be `queue`, in both of its orders, with its rate and what repeats, and goes to where it was;
  /// paused there.
  ///
  /// The place is `rewind`'s distance before what was heard last, for a pause since the list was saved.
  @discardableResult
  public func restore(_ queue: SavedQueue, rewind: SmartRewind = .standard) -> Edit {
    let edit = playlist.replaceAll(with: queue.items, original: queue.original)
    setRepeatMode(queue.repeatMode)
    if queue.rate != 0, queue.rate.isFinite { defaultRate = queue.rate }
    guard let index = queue.currentIndex else { return edit }
    let pause = WallTime.now.seconds(since: queue.savedAt)
    return jump(to: index, offset: resuming(at: queue.position, afterPause: pause, rewind))
  }

  /// Goes to where the item at `index` was left by a bookmark, `rewind`'s distance before it, at its rate; paused there.
  ///
  /// An item that was finished begins anew, backwards at its end.
  ///
  /// - Precondition: `index` is in 0..<count.
  @discardableResult
  public func resume(
    at index: Int, from bookmark: Bookmark, rewind: SmartRewind = .standard
  ) -> Edit {
    if bookmark.rate != 0, bookmark.rate.isFinite { defaultRate = bookmark.rate }
    guard !bookmark.isFinished else { return begin(at: index) }
    let pause = WallTime.now.seconds(since: bookmark.heardAt)
    return jump(
      to: index, offset: resuming(at: bookmark.position, afterPause: pause, rewind))
  }

  /// Goes behind an item that was finished, to the beginning of the next one, backwards to the end of the one before it,
  /// at the bookmark's rate; paused there.
  ///
  /// Behind the last one nothing is current: playing begins anew.
  ///
  /// - Precondition: `index` is in 0..<count.
  package func resume(behind index: Int, from bookmark: Bookmark) {
    if bookmark.rate != 0, bookmark.rate.isFinite { defaultRate = bookmark.rate }
    let next = defaultRate < 0 ? index - 1 : index + 1
    if next >= 0, next < playlist.count { begin(at: next) }
  }

  /// Goes to where the item at `index` is heard first, in the direction in which it is to play.
  @discardableResult
  private func begin(at index: Int) -> Edit {
    jump(to: index, offset: defaultRate < 0 ? .positiveInfinity : .zero)
  }

  /// Plays on after a pause of so many seconds of real time, `rewind`'s distance before where it was.
  @discardableResult
  public func play(afterPause seconds: Double, rewind: SmartRewind = .standard) -> Edit {
    let distance = rewind.distance(afterPause: seconds)
    if distance > .zero { seek(by: defaultRate < 0 ? distance : .zero - distance) }
    return play()
  }

  private func resuming(
    at position: MediaTime, afterPause seconds: Double, _ rewind: SmartRewind
  ) -> MediaTime {
    let distance = rewind.distance(afterPause: seconds)
    return defaultRate < 0 ? position + distance : max(.zero, position - distance)
  }
}
