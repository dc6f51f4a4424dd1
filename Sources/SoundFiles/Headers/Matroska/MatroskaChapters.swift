// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// Chapters of the edition that a Matroska file plays by default, those within others too (RFC 9559 §5.1.7).
struct MatroskaChapters {
  private let file: RegularFile
  private var count = 0

  init(of file: RegularFile) { self.file = file }

  /// The edition by default, or else the first one that is not hidden.
  mutating func read(_ range: Range<Int64>) throws(SoundFileError) -> [Chapter] {
    var (first, chosen): (Range<Int64>?, Range<Int64>?) = (nil, nil)
    let file = file
    try EBMLElement.walk(range, of: file) { edition throws(SoundFileError) in
      guard edition.id == 0x45B9 else { return true }
      var (isDefault, isHidden) = (false, false)
      try EBMLElement.walk(edition.content, of: file) { field throws(SoundFileError) in
        if field.id == 0x45DB { isDefault = try field.number(in: file) == 1 }
        if field.id == 0x45BD { isHidden = try field.number(in: file) == 1 }
        return true
      }
      if first == nil, !isHidden { first = edition.content }
      if chosen == nil, isDefault, !isHidden { chosen = edition.content }
      return chosen == nil
    }
    guard let edition = chosen ?? first else { return [] }
    return try atoms(edition, depth: 1)
  }

  private mutating func atoms(
    _ range: Range<Int64>, depth: Int
  ) throws(SoundFileError) -> [Chapter] {
    var places: [Range<Int64>] = []
    try EBMLElement.walk(range, of: file) { element throws(SoundFileError) in
      if element.id == 0xB6 { places.append(element.content) }
      return places.count < Chapter.most
    }
    var chapters: [Chapter] = []
    for place in places where count < Chapter.most {
      count += 1
      if let chapter = try atom(place, depth) { chapters.append(chapter) }
    }
    return chapters.inOrder()
  }

  /// nil for one that is hidden, or not enabled.
  private mutating func atom(
    _ range: Range<Int64>, _ depth: Int
  ) throws(SoundFileError) -> Chapter? {
    var (start, end): (MediaTime?, MediaTime?) = (nil, nil)
    var (title, isShown) = (String?.none, true)
    let file = file
    try EBMLElement.walk(range, of: file) { field throws(SoundFileError) in
      switch field.id {
      case 0x91: start = try Self.time(field, file)
      case 0x92: end = try Self.time(field, file)
      case 0x98: if try field.number(in: file) == 1 { isShown = false }
      case 0x4598: if try field.number(in: file) == 0 { isShown = false }
      // The first language it has.
      case 0x80 where title == nil: title = try Self.title(field, file)
      default: break
      }
      return true
    }
    guard isShown, let start else { return nil }
    return Chapter(
      title: title, start: start, end: end.flatMap { $0 > start ? $0 : nil },
      chapters: depth < Chapter.deepest ? try atoms(range, depth: depth + 1) : [])
  }

  private static func time(
    _ field: EBMLElement, _ file: RegularFile
  ) throws(SoundFileError) -> MediaTime? {
    try field.number(in: file).flatMap { Chapter.time($0, timescale: 1_000_000_000) }
  }

  private static func title(
    _ display: EBMLElement, _ file: RegularFile
  ) throws(SoundFileError) -> String? {
    var title: String?
    try EBMLElement.walk(display.content, of: file) { field throws(SoundFileError) in
      if field.id == 0x85 { title = try field.text(in: file, atMost: Chapter.longestTitle) }
      return title == nil
    }
    return title?.isEmpty == true ? nil : title
  }
}
