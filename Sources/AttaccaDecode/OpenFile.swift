// SPDX-License-Identifier: Apache-2.0

import DecodeMessages

/// The file that a process decodes, and what of it is to be seen.
struct OpenFile {
  let descriptor: Int32
  let shown: ShownFile
}
