// SPDX-License-Identifier: Apache-2.0

/// Observers that are due when something is heard.
struct HeardDeadlines {
  /// Due when the next item is heard.
  var boundary: TimeObservation?
  /// Due when another chapter is heard.
  var chapter: TimeObservation?
  /// Due when the first frame of a start is heard that someone waits for.
  var firstFrame: TimeObservation?
}
