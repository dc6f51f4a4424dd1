// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Glibc
import SoundFiles

/// A connection to an SQLite database; one thread at a time.
///
/// Statements are prepared once, and kept by their texts.
final class Database {
  let path: BytePath
  private var handle: OpaquePointer?
  private var statements: [String: Statement] = [:]

  /// Opens the database at `path`, or makes one.
  init(path: BytePath) throws(BookmarkError) {
    self.path = path
    guard attacca_sqlite_load() else {
      throw BookmarkError(
        path: path.text, call: "SQLite", code: ENOENT,
        cause: "SQLite, which keeps bookmarks, is not installed; its package is libsqlite3-0")
    }
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = path.withCString { attacca_sqlite3_open_v2($0, &handle, flags, nil) }
    guard code == SQLITE_OK else {
      let error = failure("sqlite3_open_v2", code)
      attacca_sqlite3_close_v2(handle)
      handle = nil
      throw error
    }
    attacca_sqlite3_extended_result_codes(handle, 1)
    // Another process writes for milliseconds.
    attacca_sqlite3_busy_timeout(handle, 5_000)
  }

  deinit {
    statements = [:]
    attacca_sqlite3_close_v2(handle)
  }

  /// The statement of a text, prepared, with nothing bound.
  func statement(_ text: String) throws(BookmarkError) -> Statement {
    if let known = statements[text] {
      known.reset()
      return known
    }
    var prepared: OpaquePointer?
    let code = attacca_sqlite3_prepare_v3(
      handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw failure("sqlite3_prepare_v3", code) }
    let statement = Statement(prepared, of: self)
    statements[text] = statement
    return statement
  }

  /// Carries out one statement of which no row is wanted.
  func run(_ text: String, _ values: [Value] = []) throws(BookmarkError) {
    let statement = try statement(text)
    defer { statement.reset() }
    statement.bind(values)
    while try statement.step() {}
  }

  /// The rows of a statement, each read by `body`.
  func rows<Row>(
    _ text: String, _ values: [Value] = [], _ body: (Statement) -> Row
  ) throws(BookmarkError) -> [Row] {
    let statement = try statement(text)
    defer { statement.reset() }
    statement.bind(values)
    var rows: [Row] = []
    while try statement.step() { rows.append(body(statement)) }
    return rows
  }

  /// Does `body` as a whole, or not at all.
  func transaction<R>(_ body: () throws(BookmarkError) -> R) throws(BookmarkError) -> R {
    try run("BEGIN IMMEDIATE")
    do throws(BookmarkError) {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      // A full disk has ended it already. Where it cannot be ended the next one cannot begin, and says so: what is told
      // here is why.
      if attacca_sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  /// Does `body` as a whole, or as a part of the transaction that is under way.
  func atomically(_ body: () throws(BookmarkError) -> Void) throws(BookmarkError) {
    if attacca_sqlite3_get_autocommit(handle) == 0 { try body() } else { try transaction(body) }
  }

  /// The row that was inserted last.
  var lastRow: Int64 { attacca_sqlite3_last_insert_rowid(handle) }

  /// Returns the error of what went wrong in a function, with the words of SQLite.
  func failure(_ call: String, _ code: Int32) -> BookmarkError {
    let words =
      handle.flatMap { attacca_sqlite3_errmsg($0) }.map { String(cString: $0) } ?? "out of memory"
    let cause =
      switch code & 0xFF {
      case SQLITE_CANTOPEN: "cannot be opened: \(words)"
      case SQLITE_NOTADB, SQLITE_CORRUPT:
        "is not a store of bookmarks, or is damaged: \(words); move it away, and a new one is made"
      case SQLITE_READONLY: "cannot be written: \(words)"
      case SQLITE_FULL: "cannot be written: the disk is full"
      case SQLITE_BUSY, SQLITE_LOCKED: "is written by another process for longer than 5 s"
      default: words
      }
    return BookmarkError(path: path.text, call: call, code: code, cause: cause)
  }
}
