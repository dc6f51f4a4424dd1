// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Glibc

/// A connection to an SQLite database; one thread at a time.
///
/// Statements are prepared once, and kept by their texts.
final class StateDatabase {
  let path: String
  private var handle: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]

  /// Statements that are kept, at most: filters of clients make new ones for ever.
  private static let most = 256

  /// Opens the database at `path`, or makes one; ":memory:" is one in memory.
  init(path: String) throws(StoreError) {
    self.path = path
    guard attacca_sqlite_load() else {
      throw StoreError(
        path: path, call: "SQLite", code: ENOENT,
        cause:
          "SQLite, which keeps the library and the state, is not installed; its package is libsqlite3-0"
      )
    }
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = attacca_sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK else {
      let error = failure("sqlite3_open_v2", code)
      attacca_sqlite3_close_v2(handle)
      handle = nil
      throw error
    }
    attacca_sqlite3_extended_result_codes(handle, 1)
    // Another process, or the other connection, writes for a moment.
    attacca_sqlite3_busy_timeout(handle, 10_000)
  }

  deinit {
    for statement in statements.values { attacca_sqlite3_finalize(statement) }
    attacca_sqlite3_close_v2(handle)
  }

  private func statement(_ text: String) throws(StoreError) -> OpaquePointer {
    if let known = statements[text] { return known }
    if statements.count >= Self.most {
      for statement in statements.values { attacca_sqlite3_finalize(statement) }
      statements = [:]
    }
    var prepared: OpaquePointer?
    let code = attacca_sqlite3_prepare_v3(
      handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw failure("sqlite3_prepare_v3", code) }
    statements[text] = prepared
    return prepared
  }

  private func bind(_ values: [StoredValue], to statement: OpaquePointer) {
    // SQLITE_TRANSIENT: SQLite copies what it is given.
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    for (i, value) in values.enumerated() {
      let index = Int32(i + 1)
      switch value {
      case .null: attacca_sqlite3_bind_null(statement, index)
      case .integer(let value): attacca_sqlite3_bind_int64(statement, index, value)
      case .real(let value): attacca_sqlite3_bind_double(statement, index, value)
      case .text(let value):
        attacca_sqlite3_bind_text(statement, index, value, Int32(value.utf8.count), copied)
      case .blob(let value):
        // No bytes are a null to SQLite, and a blob of none where a length is told.
        if value.isEmpty {
          attacca_sqlite3_bind_zeroblob(statement, index, 0)
        } else {
          attacca_sqlite3_bind_blob(statement, index, value, Int32(value.count), copied)
        }
      }
    }
  }

  /// Calls `body` for each row of a statement.
  func each(
    _ text: String, _ values: [StoredValue] = [], _ body: (StoredRow) -> Void
  ) throws(StoreError) {
    let statement = try statement(text)
    bind(values, to: statement)
    defer {
      attacca_sqlite3_reset(statement)
      attacca_sqlite3_clear_bindings(statement)
    }
    while true {
      switch attacca_sqlite3_step(statement) {
      case SQLITE_ROW: body(StoredRow(handle: statement))
      case SQLITE_DONE: return
      case let code: throw failure("sqlite3_step", code)
      }
    }
  }

  /// Carries out one statement of which no row is wanted.
  func run(_ text: String, _ values: [StoredValue] = []) throws(StoreError) {
    try each(text, values) { _ in }
  }

  /// The rows of a statement, each read by `body`.
  func rows<Row>(
    _ text: String, _ values: [StoredValue] = [], _ body: (StoredRow) -> Row
  ) throws(StoreError) -> [Row] {
    var rows: [Row] = []
    try each(text, values) { rows.append(body($0)) }
    return rows
  }

  /// Does `body` as a whole, or not at all.
  func transaction<R>(_ body: () throws(StoreError) -> R) throws(StoreError) -> R {
    try run("BEGIN IMMEDIATE")
    do throws(StoreError) {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      // A full disk has ended it already. Where it cannot be ended the next one cannot begin, and says so.
      if attacca_sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  /// The row that was inserted last.
  var lastRow: Int64 { attacca_sqlite3_last_insert_rowid(handle) }

  private func failure(_ call: String, _ code: Int32) -> StoreError {
    let words =
      handle.flatMap { attacca_sqlite3_errmsg($0) }.map { String(cString: $0) } ?? "out of memory"
    let cause =
      switch code & 0xFF {
      case SQLITE_CANTOPEN: "cannot be opened: \(words)"
      case SQLITE_NOTADB, SQLITE_CORRUPT:
        "is not the service's, or is damaged: \(words); move it away, and a new one is made"
      case SQLITE_READONLY: "cannot be written: \(words)"
      case SQLITE_FULL: "cannot be written: the disk is full"
      case SQLITE_BUSY, SQLITE_LOCKED: "is written by another process for longer than 10 s"
      default: words
      }
    return StoreError(path: path, call: call, code: code, cause: cause)
  }
}
