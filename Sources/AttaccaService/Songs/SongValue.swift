// SPDX-License-Identifier: Apache-2.0

/// Value of one tag of a song.
struct SongValue: Hashable, Sendable {
  let tag: SongTag
  let text: String
}
