// SPDX-License-Identifier: Apache-2.0

/// Results of a scan.
struct LoudnessReport: Sendable {
  /// In the order of the inputs.
  let rows: [LoudnessRow]
  /// In the order of their first files.
  let albums: [LoudnessAlbum]
  /// A signal asked for the end.
  let isInterrupted: Bool

  /// Lines about what could not be measured or written.
  var complaints: [String] { rows.flatMap(\.complaints) }
}
