// SPDX-License-Identifier: Apache-2.0

/// Entry of a folder of the library, as `lsinfo` tells it.
enum LibraryEntry {
  case folder(String, modified: Int64)
  case song(Song)
  case list(String, modified: Int64)
}
