// SPDX-License-Identifier: Apache-2.0

public import ArgumentParser
public import Attacca
import Glibc

/// Arguments of any bytes as texts that a parser can take, and back.
///
/// Each byte that is no part of UTF-8 becomes a character of its own, of the last 256, which are for
/// private use; those themselves are taken apart the same way, so that nothing is lost.
enum ArgumentText {
  private static let first: UInt32 = 0x10FF00

  /// The arguments of this process, as texts, without its name.
  static var ofProcess: [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { i in
      CommandLine.unsafeArgv[i].map { argument in
        let bytes = UnsafeRawBufferPointer(start: argument, count: strlen(argument))
        return text(Array(bytes))
      }
    }
  }

  static func text(_ bytes: [UInt8]) -> String {
    BytePath.text(of: bytes) { byte in
      String(Unicode.Scalar(first + UInt32(byte))!)
    } unless: { character in
      character.allSatisfy { $0.value < first }
    }
  }

  static func bytes(_ text: String) -> [UInt8] {
    text.unicodeScalars.reduce(into: []) { bytes, scalar in
      if scalar.value >= first {
        bytes.append(UInt8(truncatingIfNeeded: scalar.value))
      } else {
        bytes += UTF8.encode(scalar)!
      }
    }
  }

  /// Returns what people are shown of a text that may hold arguments.
  static func shown(_ text: String) -> String {
    BytePath(bytes: bytes(text)).text
  }
}

extension BytePath: ExpressibleByArgument {
  /// The path whose bytes `ArgumentText` made a text of.
  public init?(argument: String) { self.init(bytes: ArgumentText.bytes(argument)) }
}
