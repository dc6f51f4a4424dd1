// SPDX-License-Identifier: Apache-2.0

/// The reason for which the helper cannot go on with a file.
package struct DecodeFailure: Error, Equatable, Sendable {
  package enum Kind: UInt32, Sendable {
    case unreadable = 1
    case empty, unsupported, absurdHeader, broken, otherVersion
  }

  package var kind: Kind
  /// The function that failed.
  package var call: String
  package var code: Int32
  package var cause: String

  package init(_ kind: Kind, call: String, code: Int32 = 0, cause: String) {
    (self.kind, self.call, self.code, self.cause) = (kind, call, code, cause)
  }

  init?(_ reader: inout WireReader) {
    guard let kind = reader.integer(UInt32.self).flatMap(Kind.init), let call = reader.text(),
      let code = reader.integer(Int32.self), let cause = reader.text()
    else { return nil }
    self.init(kind, call: call, code: code, cause: cause)
  }

  func write(to writer: inout WireWriter) {
    writer.add(kind.rawValue)
    writer.add(call)
    writer.add(code)
    writer.add(cause)
  }
}
