// SPDX-License-Identifier: Apache-2.0

public import Attacca
public import MediaTime

/// A list as a player had it: its items in both orders, and where it was.
public struct SavedQueue: Sendable {
  /// The items in the order in which they are played.
  public var items: PlaylistItems
  /// The order before the list was shuffled; nil where it is not.
  public var original: PlaylistItems?
  /// Index of the item that was current; nil where none was.
  public var currentIndex: Int?
  /// The offset in the current item of what was heard last; zero where none was current.
  public var position: MediaTime
  /// The rate at which it was to play, negative backwards.
  public var rate: Double
  /// The rule for what follows an item.
  public var repeatMode: RepeatMode
  /// The moment at which it was saved.
  public var savedAt: WallTime

  /// A list at a place, for `BookmarkStore.save(_:)`.
  public init(
    items: PlaylistItems, original: PlaylistItems? = nil, currentIndex: Int? = nil,
    position: MediaTime = .zero, rate: Double = 1, repeatMode: RepeatMode = .off,
    savedAt: WallTime = .now
  ) {
    (self.items, self.original, self.currentIndex) = (items, original, currentIndex)
    (self.position, self.rate, self.repeatMode) = (position, rate, repeatMode)
    self.savedAt = savedAt
  }
}
