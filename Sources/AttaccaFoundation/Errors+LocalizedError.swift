// SPDX-License-Identifier: Apache-2.0

public import Attacca
public import FoundationEssentials

// Foundation's `localizedDescription` is `description` for all who link this product: without it, it
// is "The operation could not be completed" with a number.

extension PulseError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}

extension SoundFileError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}

extension PlaylistError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}

extension FileURLError: LocalizedError {
  /// The same as `description`.
  public var errorDescription: String? { description }
}
