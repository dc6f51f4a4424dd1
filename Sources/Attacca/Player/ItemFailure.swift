// SPDX-License-Identifier: Apache-2.0

import SoundFiles

/// Why an item could not be played, or not to its end.
public struct ItemFailure: Sendable {
  /// The item; what was read of it before has been played.
  public let item: PlaylistItem
  /// The cause: a `SoundFileError` where it is the file.
  public let error: any Error
}

extension ItemFailure: CustomStringConvertible, CustomDebugStringConvertible {
  /// One line that names the file and the cause.
  public var description: String {
    error is SoundFileError ? "\(error)" : "\(item.path): \(error)"
  }

  /// `description` with the call and the code that the error met.
  public var debugDescription: String {
    let text = (error as? any CustomDebugStringConvertible)?.debugDescription ?? "\(error)"
    return error is SoundFileError ? text : "\(item.path): \(text)"
  }
}
