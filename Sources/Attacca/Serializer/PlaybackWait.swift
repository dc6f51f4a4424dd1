// SPDX-License-Identifier: Apache-2.0

/// An item that playing waits for, and why.
///
/// The playhead holds meanwhile, where nothing else is heard, and no frame is lost. The corresponding
/// property is `AVPlayer.reasonForWaitingToPlay`.
public struct PlaybackWait: Hashable, Sendable {
  /// The step that takes so long.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// The file is being opened: a disk that sleeps, a server far away.
    case opening
    /// The file is open; a place in it is being looked for, or its next frames are being read.
    case reading
    /// The item's source is open and says that its next frames are not there yet.
    case source
  }

  /// The item to be heard next.
  public let item: PlaylistItem
  /// The step that takes so long.
  public let reason: Reason
  /// The words of a source that waits; empty for none.
  public internal(set) var detail = ""
}

extension PlaybackWait: CustomStringConvertible {
  /// One line, as in "album/03.flac is being opened".
  public var description: String {
    switch reason {
    case .opening: "\(item.path) is being opened"
    case .reading: "\(item.path) is being read"
    case .source: "\(item.path) waits\(detail.isEmpty ? "" : ": \(detail)")"
    }
  }
}
