// SPDX-License-Identifier: Apache-2.0

/// A chapter as the helper has found it; none is within another.
package struct ToldChapter: Equatable, Sendable {
  /// In units of which a second has `timescale`; not negative.
  package var start: Int64
  /// In the same; nil where the file does not tell it.
  package var end: Int64?
  package var timescale: Int32
  /// Empty where there is none.
  package var title: String

  package init(start: Int64, end: Int64?, timescale: Int32, title: String) {
    (self.start, self.end, self.timescale, self.title) = (start, end, timescale, title)
  }

  /// nil for what no file has.
  init?(_ reader: inout WireReader) {
    guard let start = reader.integer(Int64.self), let end = reader.integer(Int64.self),
      let timescale = reader.integer(Int32.self), let title = reader.text(), start >= 0,
      timescale > 0
    else { return nil }
    self.init(start: start, end: end <= start ? nil : end, timescale: timescale, title: title)
  }

  func write(to writer: inout WireWriter) {
    writer.add(start)
    writer.add(end ?? -1)
    writer.add(timescale)
    writer.add(title)
  }
}
