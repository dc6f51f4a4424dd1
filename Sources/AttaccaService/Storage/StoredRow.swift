// SPDX-License-Identifier: Apache-2.0

import CSQLite

/// The row at which a statement stands.
struct StoredRow {
  let handle: OpaquePointer

  func isNull(_ column: Int32) -> Bool {
    attacca_sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  func integer(_ column: Int32) -> Int64 { attacca_sqlite3_column_int64(handle, column) }

  func optionalInteger(_ column: Int32) -> Int64? { isNull(column) ? nil : integer(column) }

  func real(_ column: Int32) -> Double { attacca_sqlite3_column_double(handle, column) }

  func text(_ column: Int32) -> String { optionalText(column) ?? "" }

  func optionalText(_ column: Int32) -> String? {
    guard let start = attacca_sqlite3_column_text(handle, column) else { return nil }
    let count = Int(attacca_sqlite3_column_bytes(handle, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// The bytes of a text, until the statement goes on.
  func bytes(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
    let start = attacca_sqlite3_column_text(handle, column)
    return UnsafeBufferPointer(
      start: start, count: start == nil ? 0 : Int(attacca_sqlite3_column_bytes(handle, column)))
  }

  func blob(_ column: Int32) -> [UInt8] {
    guard let bytes = attacca_sqlite3_column_blob(handle, column) else { return [] }
    let count = Int(attacca_sqlite3_column_bytes(handle, column))
    return Array(UnsafeRawBufferPointer(start: bytes, count: count))
  }
}
