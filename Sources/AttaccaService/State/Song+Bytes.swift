// SPDX-License-Identifier: Apache-2.0

// A song as the journal has it.
extension Song {
  func write(to bytes: inout JournalBytes) {
    bytes.text(uri)
    bytes.text(SongText.text(of: values))
    bytes.optional(nanoseconds)
    bytes.optional(modified)
    bytes.text(format ?? "")
    bytes.optional(range?.start)
    bytes.optional(range?.end)
  }

  convenience init?(_ reader: inout JournalReader) {
    guard let uri = reader.text(), let tags = reader.text(),
      let nanoseconds = reader.optional(), let modified = reader.optional(),
      let format = reader.text(), let start = reader.optional(), let end = reader.optional()
    else { return nil }
    self.init(
      uri: uri, values: SongText.values(of: tags), nanoseconds: nanoseconds, modified: modified,
      format: format.isEmpty ? nil : format, range: SongPart(kept: start, to: end))
  }
}
