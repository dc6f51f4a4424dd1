// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A path as the kernel has it: bytes, of UTF-8 as a rule, of any encoding or none otherwise.
///
/// Names from old disks, archives and shares are often Latin-1, and a `String` cannot hold those:
/// it would replace bytes, and the file of the new name is not there. Nothing is normalised, so
/// that two paths are equal where all their bytes are.
public struct BytePath: Sendable {
  /// UTF-8 is kept as a string, in which short paths take no memory of their own.
  private enum Storage {
    case text(String)
    case bytes([UInt8])
  }

  private let storage: Storage

  /// The path of a text's UTF-8.
  public init(_ text: String) { storage = .text(text) }

  /// A path of any bytes.
  public init(bytes: some Collection<UInt8>) {
    if let text = String(validating: bytes, as: UTF8.self) {
      storage = .text(text)
    } else {
      storage = .bytes(Array(bytes))
    }
  }

  /// True where all of the path is UTF-8: `text` then names the same file.
  public var isText: Bool {
    if case .text = storage { true } else { false }
  }

  /// The bytes, without a terminating zero.
  public var bytes: [UInt8] {
    switch storage {
    case .text(let text): Array(text.utf8)
    case .bytes(let bytes): bytes
    }
  }

  /// The path for people: each byte that is no part of UTF-8 is shown as `\xE9`.
  public var text: String {
    switch storage {
    case .text(let text): text
    case .bytes(let bytes): Self.shown(bytes)
    }
  }

  /// Calls `body` with the path as C functions take it.
  ///
  /// They read up to the first zero: `hasZero` says whether that is not the end.
  package func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    switch storage {
    case .text(let text): text.withCString(body)
    case .bytes(let bytes):
      (bytes + [0]).withUnsafeBytes {
        body($0.baseAddress!.assumingMemoryBound(to: CChar.self))  // one byte at least
      }
    }
  }

  /// True where the path holds a zero, which no file's name does.
  var hasZero: Bool {
    switch storage {
    case .text(let text): text.utf8.contains(0)
    case .bytes(let bytes): bytes.contains(0)
    }
  }

  private static func shown(_ bytes: [UInt8]) -> String {
    text(of: bytes, escaping: { "\\x" + String($0, radix: 16, uppercase: true) })
  }

  /// The UTF-8 in `bytes`, and between it what `escape` makes of each other byte; `isPlain` says of a
  /// character whether it may stand for itself.
  package static func text(
    of bytes: [UInt8], escaping escape: (UInt8) -> String,
    unless isPlain: (Substring.UnicodeScalarView) -> Bool = { _ in true }
  ) -> String {
    var text = ""
    var rest = bytes[...]
    while !rest.isEmpty {
      // A character's length is in its first byte; what does not hold that promise is no character.
      let length =
        switch rest[rest.startIndex] {
        case 0xC0...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF7: 4
        default: 1
        }
      if let character = String(validating: rest.prefix(length), as: UTF8.self),
        isPlain(character[...].unicodeScalars)
      {
        text += character
        rest = rest.dropFirst(length)
      } else {
        text += escape(rest.removeFirst())
      }
    }
    return text
  }
}

extension BytePath: Hashable {
  /// Tells whether all bytes are equal; strings of the same look may differ in theirs.
  public static func == (a: BytePath, b: BytePath) -> Bool {
    switch (a.storage, b.storage) {
    case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
    case (.bytes(let a), .bytes(let b)): a == b
    case (.text, .bytes), (.bytes, .text): false
    }
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension BytePath: ExpressibleByStringLiteral {
  /// The path of a text's UTF-8.
  public init(stringLiteral text: String) { self.init(text) }
}

extension BytePath: CustomStringConvertible {
  /// The path for people, `text`.
  public var description: String { text }
}
