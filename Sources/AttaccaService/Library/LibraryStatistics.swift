// SPDX-License-Identifier: Apache-2.0

/// Numbers of a library, as `stats` tells them.
struct LibraryStatistics: Hashable, Sendable {
  var artists = 0
  var albums = 0
  var songs = 0
  var nanoseconds: Int64 = 0
}
