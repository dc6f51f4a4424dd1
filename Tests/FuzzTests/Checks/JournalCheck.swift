// SPDX-License-Identifier: Apache-2.0

@testable import AttaccaService

/// Takes bytes for a file of changes, and for the body of one of its entries, which a hash guards otherwise.
enum JournalCheck {
  static func run(_ bytes: [UInt8]) throws {
    let entries = try StepTime.bounded("a journal") { StateJournal.entries(of: bytes) }
    for entry in entries { try check(entry) }
    if let entry = StateJournal.entry(of: bytes[...]) { try check(entry) }
  }

  private static func check(_ entry: JournalEntry) throws {
    let body = StateJournal.body(of: entry).bytes
    guard let again = StateJournal.entry(of: body[...]) else {
      throw Finding("what was written of an entry is none")
    }
    // Not the entries: what is not a number is not equal to itself.
    try Finding.unless(
      StateJournal.body(of: again).bytes == body, "an entry is another one when it is read again")
    var restored = RestoredState()
    restored.songs = (1...8).map { KeptSong(id: $0, song: Song(uri: "\($0)")) }
    restored.apply(entry)
    restored.apply(entry)
    restored.dropImpossible()
    try Finding.unless(
      Set(restored.songs.map(\.id)).count == restored.songs.count, "two songs have one id")
    let moved = entry.changes.allSatisfy {
      switch $0 {
      case .insert, .remove: false
      default: true
      }
    }
    try Finding.unless(
      !moved || restored.songs.count == 8, "\(restored.songs.count) songs of 8 are left")
  }
}
