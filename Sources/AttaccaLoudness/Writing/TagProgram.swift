// SPDX-License-Identifier: Apache-2.0

import CDescriptors
import Glibc
import SoundFiles

/// The program `attacca-tag`, which sets tags by TagLib: what that does to memory, or to itself, is not this process'.
struct TagProgram {
  private let program: String
  /// The file for people.
  private let path: BytePath

  /// The program for the file at `path`.
  init(for path: BytePath) throws(SoundFileError) {
    guard let program = ProgramPlace.tagger.path else {
      throw SoundFileError(
        .unwritable, path: path.text, call: "attacca-tag",
        cause: """
          tags are written by the program attacca-tag, which is neither beside this one nor in PATH; \
          swift build --product attacca-tag makes it
          """)
    }
    (self.program, self.path) = (program, path)
  }

  /// Sets tags of `file`, and takes those away that have no value; blocks until the program has ended.
  func set(
    _ entries: [(name: String, value: String?)], _ kind: TagKind, of file: PartialFile
  ) throws(SoundFileError) {
    let lines = entries.map { entry in entry.name + (entry.value.map { "=\($0)" } ?? "") }
    let argument = ([kind.rawValue] + lines).joined(separator: "\n")
    var process: pid_t = 0
    let code = attacca_start(program, argument, file.descriptor, 3, &process)
    guard code == 0 else {
      let cause = PartialFile.refused(program, call: "posix_spawn", code: code).cause
      throw failure(code, "\(program) cannot be started: \(cause)")
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    guard status != 0 else { return }
    let isEnded = status & 0x7F == 0
    let result = status >> 8 & 0xFF
    throw failure(
      isEnded ? result : status,
      isEnded
        ? result == 2 ? "TagLib finds no place for tags in it" : "TagLib cannot write its tags"
        : "attacca-tag was ended by signal \(status & 0x7F)")
  }

  private func failure(_ code: Int32, _ cause: String) -> SoundFileError {
    SoundFileError(.unwritable, path: path.text, call: "attacca-tag", code: code, cause: cause)
  }
}
