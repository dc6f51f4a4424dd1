// SPDX-License-Identifier: Apache-2.0

extension MediaTime {
  /// The kind of time that the fields stand for; the bits are CMTimeFlags'.
  public struct Flags: OptionSet, Hashable, Codable, Sendable {
    /// The bits as in C.
    public let rawValue: UInt32

    /// Flags of the given bits.
    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }

    /// Absent from an invalid time, `kCMTimeFlags_Valid`.
    public static let valid = Flags(rawValue: 1 << 0)
    /// The value is not exact, `kCMTimeFlags_HasBeenRounded`.
    public static let hasBeenRounded = Flags(rawValue: 1 << 1)
    /// Later than every number, `kCMTimeFlags_PositiveInfinity`.
    public static let positiveInfinity = Flags(rawValue: 1 << 2)
    /// Earlier than every number, `kCMTimeFlags_NegativeInfinity`.
    public static let negativeInfinity = Flags(rawValue: 1 << 3)
    /// The flag of a time that is not known yet, `kCMTimeFlags_Indefinite`.
    public static let indefinite = Flags(rawValue: 1 << 4)
    /// With any of these the other fields are ignored, `kCMTimeFlags_ImpliedValueFlagsMask`.
    public static let impliedValue: Flags = [.positiveInfinity, .negativeInfinity, .indefinite]
  }
}
