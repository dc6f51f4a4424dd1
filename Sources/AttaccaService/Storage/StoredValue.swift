// SPDX-License-Identifier: Apache-2.0

/// A value as a database has it.
enum StoredValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  static func integer(_ value: Int) -> StoredValue { .integer(Int64(value)) }
  static func integer(_ value: Int64?) -> StoredValue { value.map { .integer($0) } ?? .null }
  static func text(_ value: String?) -> StoredValue { value.map { .text($0) } ?? .null }
}
