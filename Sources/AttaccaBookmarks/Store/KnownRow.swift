// SPDX-License-Identifier: Apache-2.0

import SoundFiles

/// A row of the bookmarks, and what it says of its file.
struct KnownRow {
  let id: Int64
  let path: BytePath
  /// The file when the row was written; nil of another source.
  let file: FileIdentity?
}
