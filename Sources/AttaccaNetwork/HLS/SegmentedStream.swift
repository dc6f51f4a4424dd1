// SPDX-License-Identifier: Apache-2.0

/// Facts of a stream of segments (HLS), as its playlists tell them.
public struct SegmentedStream: Hashable, Sendable {
  /// True where old segments go and new ones come: it has no length.
  public var isLive: Bool
  /// Segments that are named now.
  public var segmentCount: Int
  /// Seconds of all segments, each rounded by whoever made them; nil where more may come.
  public var seconds: Double?
  /// Bits a second of the variants that sound can be taken from, in ascending order; empty where there is one alone.
  public var bandwidths: [Int]
  /// True where segments are encrypted (AES-128).
  public var isEncrypted: Bool
}
