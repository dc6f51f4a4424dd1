// SPDX-License-Identifier: Apache-2.0

import Attacca

/// The files that the arguments stand for: themselves, a folder's or a playlist's.
struct Inputs {
  private(set) var paths: [String] = []
  /// Arguments that stand for no file at all.
  private(set) var failures: [SoundFileError] = []

  init(_ arguments: [String]) {
    for argument in arguments {
      do throws(SoundFileError) {
        paths += try Self.files(argument)
      } catch {
        failures.append(error)
      }
    }
  }

  private static func files(_ argument: String) throws(SoundFileError) -> [String] {
    let paths: [String]
    if FolderListing.isFolder(argument) {
      paths = try FolderListing(path: argument).paths
    } else if PlaylistFile.isPlaylist(argument) {
      paths = try PlaylistFile(path: argument).entries.map(\.path)
    } else {
      return [argument]
    }
    guard paths.isEmpty else { return paths }
    throw SoundFileError(.empty, path: argument, call: "Inputs", cause: "it names no sound file")
  }

  /// Says which arguments stand for nothing.
  func reportFailures() {
    for failure in failures {
      TextOutput.errors.write("\(ErrorText.of(failure))\n".withoutControls)
    }
  }
}
