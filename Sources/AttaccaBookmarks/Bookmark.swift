// SPDX-License-Identifier: Apache-2.0

public import MediaTime
public import SoundFiles

/// The place up to which a file, or a clip of one, has been listened to.
public struct Bookmark: Hashable, Sendable {
  /// The file's path from the root on, or the name of another source, such as an address.
  public let path: BytePath
  /// Time in the file at which the clip begins; zero for the file itself.
  public let start: MediaTime
  /// The offset in the item of what was heard last, exact: a frame over the file's rate.
  public var position: MediaTime
  /// The item's length; nil where it was not known.
  public var duration: MediaTime?
  /// The rate at which it was played, 1 being the natural speed; negative backwards.
  public var rate: Double
  /// The moment at which it was heard last.
  public var heardAt: WallTime
  /// True once the item's last frame, backwards its first, has been heard since it was begun last.
  public var isFinished: Bool
  /// The title that was shown; nil for none.
  public var title: String?

  /// A bookmark, for `BookmarkStore.set(_:of:)`, to which `path` and `start` are the item's.
  public init(
    path: BytePath, start: MediaTime = .zero, position: MediaTime, duration: MediaTime? = nil,
    rate: Double = 1, heardAt: WallTime = .now, isFinished: Bool = false, title: String? = nil
  ) {
    (self.path, self.start, self.position, self.duration) = (path, start, position, duration)
    (self.rate, self.heardAt, self.isFinished) = (rate, heardAt, isFinished)
    self.title = title
  }
}

extension Bookmark {
  /// Finishes the item where the last frame of a device of `deviceRate` before its end is heard, at the bookmark's rate:
  /// at 1.25 times the natural speed that may begin more than a frame of the file before it.
  package mutating func finish(at deviceRate: Int) {
    guard let end = rate < 0 ? .zero : duration else { return }
    let frame = abs(rate) / Double(deviceRate) + 1 / Double(position.timescale)
    guard (end - position).absoluteValue.seconds <= frame else { return }
    (position, isFinished) = (end, true)
  }
}
