// SPDX-License-Identifier: Apache-2.0

/// Entry of a folder of the library, by its number in the index.
enum LibraryEntry {
  case folder(Int64)
  case song(Int64)
  case list(Int64)
}
