// SPDX-License-Identifier: Apache-2.0

import SoundFiles

/// An item that could not be played, or not to its end, and why.
public struct ItemFailure: Sendable {
  /// The item; what was read of it before has been played.
  public let item: PlaylistItem
  /// The cause: a `SoundFileError` where it is the file.
  public let error: any Error
  /// Number of items right behind it that cannot be played either and are told by this failure alone;
  /// 0 for each of the first twenty in a row.
  public internal(set) var furtherCount = 0
}

extension ItemFailure {
  /// Number of failures in a row that are told one by one.
  static let toldSingly = 20

  /// One failure for all the items that a step could not open.
  init(_ skipped: SkippedItems) {
    self.init(item: skipped.first, error: skipped.error, furtherCount: skipped.count - 1)
  }

  /// Adds `more` behind `failures`; those past the first twenty are counted in one.
  static func add(_ more: [ItemFailure], to failures: inout [ItemFailure]) {
    for failure in more {
      if failures.count <= toldSingly {
        failures.append(failure)
      } else {
        failures[failures.count - 1].furtherCount += 1 + failure.furtherCount
      }
    }
  }
}

extension ItemFailure: CustomStringConvertible, CustomDebugStringConvertible {
  /// One line that names the file and the cause, and counts the items behind it.
  public var description: String {
    let text = error is SoundFileError ? "\(error)" : "\(item.path): \(error)"
    return furtherCount == 0
      ? text : "\(text); \(furtherCount) more behind it cannot be played either"
  }

  /// `description` with the call and the code that the error met.
  public var debugDescription: String {
    let text = (error as? any CustomDebugStringConvertible)?.debugDescription ?? "\(error)"
    return error is SoundFileError ? text : "\(item.path): \(text)"
  }
}
