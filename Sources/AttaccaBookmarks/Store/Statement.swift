// SPDX-License-Identifier: Apache-2.0

import Attacca
import CSQLite
import MediaTime

/// A value as a database has it.
enum Value {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

/// A prepared statement of a database, which lives longer.
final class Statement {
  private let handle: OpaquePointer
  private unowned let database: Database

  init(_ handle: OpaquePointer, of database: Database) {
    (self.handle, self.database) = (handle, database)
  }

  deinit { attacca_sqlite3_finalize(handle) }

  /// Binds values to the parameters, from the first one on.
  func bind(_ values: [Value]) {
    // SQLITE_TRANSIENT: SQLite copies what it is given.
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    for (i, value) in values.enumerated() {
      let index = Int32(i + 1)
      switch value {
      case .null: attacca_sqlite3_bind_null(handle, index)
      case .integer(let value): attacca_sqlite3_bind_int64(handle, index, value)
      case .real(let value): attacca_sqlite3_bind_double(handle, index, value)
      case .text(let value): attacca_sqlite3_bind_text(handle, index, value, -1, copied)
      case .blob(let value):
        // No bytes are a null to SQLite, and a blob of none where a length is told.
        if value.isEmpty {
          attacca_sqlite3_bind_zeroblob(handle, index, 0)
        } else {
          attacca_sqlite3_bind_blob(handle, index, value, Int32(value.count), copied)
        }
      }
    }
  }

  /// Goes to the next row; false behind the last one.
  func step() throws(BookmarkError) -> Bool {
    switch attacca_sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw database.failure("sqlite3_step", code)
    }
  }

  /// Has it begin anew, with nothing bound.
  func reset() {
    attacca_sqlite3_reset(handle)
    attacca_sqlite3_clear_bindings(handle)
  }

  func isNull(_ column: Int32) -> Bool {
    attacca_sqlite3_column_type(handle, column) == SQLITE_NULL
  }
  func integer(_ column: Int32) -> Int64 { attacca_sqlite3_column_int64(handle, column) }
  func real(_ column: Int32) -> Double { attacca_sqlite3_column_double(handle, column) }

  /// The rate of a column; the natural one where that is none.
  func rate(_ column: Int32) -> Double {
    let rate = real(column)
    return RenderSynchronizer.rates.contains(abs(rate)) ? rate : 1
  }

  /// A time of two columns, its number and its timescale; nil for none, and for what is none.
  func time(_ column: Int32) -> MediaTime? {
    let timescale = integer(column + 1)
    guard !isNull(column), timescale > 0 else { return nil }
    return MediaTime(value: integer(column), timescale: Int32(clamping: timescale))
  }

  func text(_ column: Int32) -> String? {
    attacca_sqlite3_column_text(handle, column).map { String(cString: $0) }
  }

  func blob(_ column: Int32) -> [UInt8] {
    guard let bytes = attacca_sqlite3_column_blob(handle, column) else { return [] }
    return Array(
      UnsafeRawBufferPointer(start: bytes, count: Int(attacca_sqlite3_column_bytes(handle, column)))
    )
  }
}
