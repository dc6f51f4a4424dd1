// SPDX-License-Identifier: Apache-2.0

import Attacca

extension ServeFile {
  /// The settings of the file at `path`; none where there is no file.
  ///
  /// - Throws: What ends the command, in words.
  static func read(_ path: String) throws(Refusal) -> ServeFile {
    let bytes: [UInt8]
    do throws(SoundFileError) {
      bytes = try WholeFile.bytes(of: BytePath(path), atMost: 1 << 20)
    } catch {
      if error.kind == .missing || error.kind == .empty { return ServeFile() }
      throw Refusal(text: "\(error)")
    }
    do throws(Complaint) {
      return try ServeFile(String(decoding: bytes, as: UTF8.self))
    } catch {
      throw Refusal(text: "\(path): \(error)")
    }
  }

  /// A file that cannot be taken, in words.
  struct Refusal: Error, CustomStringConvertible {
    let text: String
    var description: String { text }
  }
}
