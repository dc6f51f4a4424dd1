// SPDX-License-Identifier: Apache-2.0

/// Why the helper cannot go on with a file.
public struct DecodeFailure: Error, Equatable, Sendable {
  public enum Kind: UInt32, Sendable {
    case unreadable = 1
    case empty, unsupported, absurdHeader, broken, otherVersion
  }

  public var kind: Kind
  /// The function that failed.
  public var call: String
  public var code: Int32
  public var cause: String

  public init(_ kind: Kind, call: String, code: Int32 = 0, cause: String) {
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
