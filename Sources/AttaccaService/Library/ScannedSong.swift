// SPDX-License-Identifier: Apache-2.0

/// A file that a scan has found to be new or changed.
struct ScannedSong: Sendable {
  let uri: String
  let folder: String
  let modified: Int64
  let size: Int64
}
