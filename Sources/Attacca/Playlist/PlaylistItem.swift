// SPDX-License-Identifier: Apache-2.0

public import MediaTime
import Preconditions
public import Rendering
public import SoundFiles
import Synchronization

/// One entry of a playlist: a file or another source, what is played of it, and an identity of its own.
///
/// Two items for the same file are different items. Nothing is opened until it is near the
/// playhead: whether the file exists is found out then. The corresponding class is `AVPlayerItem`.
public struct PlaylistItem: Hashable, Sendable, Identifiable {
  /// Distinguishes items within one process.
  public struct ID: Hashable, Sendable, CustomStringConvertible {
    let number: UInt64
    /// The identity's number, as in "#12".
    public var description: String { "#\(number)" }
  }

  /// Identity of this item, wherever it is moved.
  public let id: ID
  /// The file's path, relative to the working directory if not absolute; the name of another source.
  public let bytePath: BytePath
  /// The file's path for people: a name that is not UTF-8 is shown with its bytes as `\xE9`.
  public var path: String { bytePath.text }
  /// Everything that most items do not have; nil where this one has none of it.
  private let details: Details?

  private static let lastNumber = Atomic<UInt64>(0)

  private final class Details: Sendable {
    let source: any AudioSource
    let start: MediaTime
    let end: MediaTime?
    let gain: Float
    let volumeAutomation: VolumeAutomation
    let gap: MediaTime?
    let tags: Tags?
    let metadata: (any Sendable)?
    /// True of an item that was made of a path alone, which is shown as that.
    let isPath: Bool

    init(
      _ source: any AudioSource, _ start: MediaTime, _ end: MediaTime?, _ gain: Float,
      _ volumeAutomation: VolumeAutomation, _ gap: MediaTime?, _ tags: Tags?,
      _ metadata: (any Sendable)?, isPath: Bool = false
    ) {
      (self.isPath, self.volumeAutomation, self.gap) = (isPath, volumeAutomation, gap)
      (self.source, self.start, self.end) = (source, start, end)
      (self.gain, self.tags, self.metadata) = (gain, tags, metadata)
    }
  }

  private init(_ path: BytePath, _ details: Details?, id: ID? = nil) {
    self.id = id ?? ID(number: Self.lastNumber.add(1, ordering: .relaxed).newValue)
    (bytePath, self.details) = (path, details)
  }

  /// The same item at another gain, or another volume.
  func with(
    gain: Float? = nil, volumeAutomation: VolumeAutomation? = nil
  ) -> PlaylistItem {
    let source = details?.source ?? FileSource(path: bytePath)
    return PlaylistItem(
      bytePath,
      Details(
        source, start, end, gain ?? self.gain, volumeAutomation ?? self.volumeAutomation, gap, tags,
        metadata, isPath: details?.isPath ?? true),
      id: id)
  }

  /// The gains in decibels that items can have.
  static let gains: ClosedRange<Float> = -120...40

  /// A new item for the file at `path`, whatever its bytes.
  public init(path: BytePath) { self.init(path, nil) }

  /// A new item for the file at `path`.
  public init(path: String) { self.init(path: BytePath(path)) }

  /// A new item for a clip of the file at `path`; for a path of other bytes than UTF-8 take a `FileSource`.
  ///
  /// - Parameters:
  ///   - path: The file, relative to the working directory if not absolute.
  ///   - start: Where the item begins in the file, at the nearest frame: its offset zero.
  ///   - end: Where the item ends in the file, at the nearest frame; nil for the file's end.
  ///   - gain: Decibels by which the item is louder than its file.
  ///   - volumeAutomation: The volume as a function of the time within the item.
  ///   - gap: Silence between the item and the one in front of it; nil for the player's `gap`.
  ///   - tags: What displays show in place of the file's own tags.
  ///   - metadata: Anything of the caller's.
  /// - Precondition: `start` is numeric and not negative, `end` numeric and not before it, `gain` in -120...40,
  ///   `gap` numeric and not negative.
  public init(
    path: String, start: MediaTime = .zero, end: MediaTime? = nil, gain: Float = 0,
    volumeAutomation: VolumeAutomation = VolumeAutomation(), gap: MediaTime? = nil,
    tags: Tags? = nil, metadata: (any Sendable)? = nil
  ) {
    self.init(
      FileSource(path: path), start: start, end: end, gain: gain,
      volumeAutomation: volumeAutomation, gap: gap, tags: tags, metadata: metadata)
  }

  /// A new item for `source`, or a clip of it.
  ///
  /// - Parameters:
  ///   - source: What is played.
  ///   - start: Where the item begins in the source, at the nearest frame: its offset zero.
  ///   - end: Where the item ends in the source, at the nearest frame; nil for the source's end.
  ///   - gain: Decibels by which the item is louder than its source.
  ///   - volumeAutomation: The volume as a function of the time within the item.
  ///   - gap: Silence between the item and the one in front of it; nil for the player's `gap`.
  ///   - tags: What displays show in place of the source's own tags.
  ///   - metadata: Anything of the caller's.
  /// - Precondition: `start` is numeric and not negative, `end` numeric and not before it, `gain` in -120...40,
  ///   `gap` numeric and not negative.
  public init(
    _ source: any AudioSource, start: MediaTime = .zero, end: MediaTime? = nil, gain: Float = 0,
    volumeAutomation: VolumeAutomation = VolumeAutomation(), gap: MediaTime? = nil,
    tags: Tags? = nil, metadata: (any Sendable)? = nil
  ) {
    require(
      start.isNumeric && start >= .zero,
      "an item that begins at \(start); a numeric time, zero or later, is permitted")
    require(
      end.map { $0.isNumeric && $0 >= start } ?? true,
      "an item from \(start) to \(end ?? .zero); a numeric end behind the start is permitted")
    Self.check(gain: gain)
    if let gap { Self.check(gap: gap) }
    self.init(
      (source as? FileSource)?.path ?? (source as? SharedFileSource)?.path ?? BytePath(source.name),
      Details(source, start, end, gain, volumeAutomation, gap, tags, metadata))
  }

  /// The source that is played, as it was given; nil for an item that was made of a path alone.
  public var source: (any AudioSource)? { details.flatMap { $0.isPath ? nil : $0.source } }
  /// Time in the source at which the item begins: its offset zero.
  public var start: MediaTime { details?.start ?? .zero }
  /// Time in the source at which the item ends; nil for the source's end.
  public var end: MediaTime? { details?.end }
  /// Decibels by which the item is louder than its source; `Playlist.setGain(_:of:)` changes it.
  public var gain: Float { details?.gain ?? 0 }
  /// Volume as a function of the time within the item, multiplied by the factor of `gain`;
  /// `Playlist.setVolumeAutomation(_:of:)` changes it.
  public var volumeAutomation: VolumeAutomation { details?.volumeAutomation ?? VolumeAutomation() }
  /// Silence between the item and the one in front of it, however that is reached; nil for the player's `gap`.
  public var gap: MediaTime? { details?.gap }
  /// Tags that displays show in place of the source's own; nil for those.
  public var tags: Tags? { details?.tags }
  /// Value that the caller gave the item; nothing here looks at it.
  public var metadata: (any Sendable)? { details?.metadata }

  /// Has a gain that no item can have end the process.
  static func check(gain: Float) {
    require(gains ~= gain, "an item's gain of \(gain) dB; -120 to 40 are permitted")
  }

  /// Has a gap that no item can have end the process.
  static func check(gap: MediaTime) {
    require(
      gap.isNumeric && gap >= .zero, "a gap of \(gap); numbers from zero on are permitted")
  }

  /// Tells whether two items are the same entry.
  public static func == (a: PlaylistItem, b: PlaylistItem) -> Bool { a.id == b.id }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
