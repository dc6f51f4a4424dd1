// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// The status with which the process ends, for its caller; the numbers are mpv's.
enum ExitStatus: Int32 {
  /// All is done, or the user asked to quit.
  case done = 0
  /// Wrong usage, or an output that cannot be had.
  case refused = 1
  /// Not one of the files could be played.
  case nothingPlayable = 2
  /// Some of the files could not be played, or not to their end; a measurement heard what is wrong.
  case someFailed = 3
  /// A signal asked for the end.
  case signalled = 4

  /// The status of `played` files, at least in part, and `failed` ones.
  init(played: Int, failed: Int) {
    self = played == 0 ? .nothingPlayable : failed > 0 ? .someFailed : .done
  }

  /// Ends the command unless all is done.
  func end() throws {
    if self != .done { throw ExitCode(rawValue) }
  }
}
