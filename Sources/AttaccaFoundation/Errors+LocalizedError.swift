// SPDX-License-Identifier: Apache-2.0

public import Attacca
public import FoundationEssentials

// Foundation's `localizedDescription` is `description` for all who link this product: without it, it
// is "The operation could not be completed" with a number.

extension PulseError: LocalizedError {
  /// The error's `description`.
  public var errorDescription: String? { description }
}

extension SoundFileError: LocalizedError {
  /// The error's `description`.
  public var errorDescription: String? { description }
}

extension PlaylistError: LocalizedError {
  /// The error's `description`.
  public var errorDescription: String? { description }
}

extension FileURLError: LocalizedError {
  /// The error's `description`.
  public var errorDescription: String? { description }
}
