// SPDX-License-Identifier: Apache-2.0

/// Details of a file's stream beside its format.
public struct StreamDetails: Hashable, Sendable {
  /// Sources of a file's exact length.
  public enum LengthSource: String, Hashable, Sendable, CaseIterable {
    /// A header states it.
    case header
    /// MP4's table of samples.
    case sampleTable
    /// A text of iTunes beside the table, "iTunSMPB".
    case gaplessTag
    /// The last block of FLAC.
    case lastBlock
    /// The last page of Ogg.
    case lastPage
    /// Every packet has been looked at.
    case packets
  }

  /// The source of the exact length, where that is known.
  public var lengthSource: LengthSource
  /// Variant of the code, such as "HE-AAC"; nil where it has none.
  public var profile: String?
  /// Bits a second, as the file says; nil where it does not.
  public var bitRate: Int?
  /// True where the file tells which frames its encoder has added in front and behind, or none can have been.
  ///
  /// What is not told is heard.
  public var isGapless: Bool
  /// Frames in front that are left out; nil where that is not known.
  public var encoderDelay: Int?

  init(
    _ lengthSource: LengthSource, profile: String? = nil, bitRate: Int? = nil,
    isGapless: Bool = true, encoderDelay: Int? = nil
  ) {
    (self.lengthSource, self.profile, self.bitRate) = (lengthSource, profile, bitRate)
    (self.isGapless, self.encoderDelay) = (isGapless, encoderDelay)
  }
}
