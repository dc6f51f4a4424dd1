// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaNetwork

/// The files that the arguments stand for: themselves, a folder's or a playlist's.
struct Inputs {
  /// Paths, and addresses of HTTP.
  private(set) var paths: [BytePath] = []
  /// What stands for no file at all, or cannot be read: arguments, and folders and lists in them.
  private(set) var failures: [SoundFileError] = []
  /// The number of files in folders, by extension, that are of no kind that is played.
  private var undecoded: [String: Int] = [:]

  init(_ arguments: [BytePath]) {
    for argument in arguments {
      if let complaint = Self.complaint(about: argument) {
        failures.append(complaint)
        continue
      }
      let named = NamedFiles(BytePath(address: argument) ?? argument)
      for path in named.paths { add(path) }
      failures += named.failures
      undecoded.merge(named.undecoded, uniquingKeysWith: +)
    }
  }

  /// Adds a file, an address, or what the list at an address names.
  private mutating func add(_ path: BytePath) {
    guard let address = NetworkAddress(path), NetworkList.isList(address) else {
      paths.append(path)
      return
    }
    let list = NetworkList(address)
    paths += list.addresses.map { BytePath($0.text) }
    failures += list.failures
  }

  /// What is wrong with an argument that cannot be a file's.
  private static func complaint(about argument: BytePath) -> SoundFileError? {
    let cause: String
    if argument == "-" {
      cause = """
        standard input is not played: save it in a file, and name that; a file of this name is ./-
        """
    } else if argument.isAddress, BytePath(address: argument) == nil,
      NetworkAddress(argument) == nil
    {
      cause = "only files and addresses of HTTP are played: download it, and name the file"
    } else {
      return nil
    }
    return SoundFileError(.unsupported, path: argument.text, call: "Inputs", cause: cause)
  }

  /// Says what cannot be played, as far as that is known.
  func reportFailures() {
    for failure in failures {
      TextOutput.errors.write("\(ErrorText.of(failure))\n".withoutControls)
    }
    guard !undecoded.isEmpty else { return }
    let count = undecoded.values.reduce(0, +)
    let kinds = undecoded.keys.sorted().map { ".\($0)" }.joined(separator: ", ")
    TextOutput.errors.write(
      "attacca: left out: \(count) file\(count == 1 ? "" : "s") of kinds that are not played "
        + "(\(kinds))\n")
  }
}
