// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaLoudness

/// Result of one file, or of a part of one, in a scan.
struct LoudnessRow: Sendable {
  let entry: PlaylistFile.Entry
  /// nil where it could not be measured.
  var measured: MeasuredLoudness?
  /// Names the album that it is of; nil where nobody asked.
  var album: LoudnessAlbum.Key?
  /// Its tags bear the loudness now.
  var isWritten = false
  /// Reasons for which it could not be measured, not to its end, or not be written.
  var complaints: [String] = []

  init(_ entry: PlaylistFile.Entry) { self.entry = entry }

  /// True where all that was asked for has been done.
  var isDone: Bool { measured != nil && complaints.isEmpty }
}
