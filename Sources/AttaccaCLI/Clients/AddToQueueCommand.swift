// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca
import AttaccaService
import Glibc

struct AddToQueueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Adds files, folders, playlists and addresses to the queue.",
    discussion: "A service on another machine takes what is in its music folder, and addresses.")

  @Argument(help: "Files, folders, playlists or addresses, or URIs of the music folder.")
  var inputs: [String]

  @Flag(help: "Put them behind the song that is heard.")
  var next = false

  @Flag(help: "Begin to play the first of them.")
  var play = false

  @OptionGroup var options: ServiceOptions

  func run() throws {
    let uris = inputs.flatMap(Self.uris)
    let client = try options.connect()
    do throws(MusicClientError) {
      var first: String?
      for (index, uri) in uris.enumerated() {
        let place = next ? ["+\(index)"] : []
        let id = try client.send("addid", [uri] + place).first?.value
        first = first ?? id
      }
      if play, let first { try client.send("playid", [first]) }
    } catch {
      throw Resuming.refusal("\(error)")
    }
  }

  /// What is here is named from the root on; what is not is the service's to know.
  private static func uris(_ input: String) -> [String] {
    let path = BytePath(argument: input) ?? BytePath(input)
    guard !path.isAddress, access(input, F_OK) == 0 else { return [input] }
    return NamedFiles(path).paths.map { path in
      guard path.isText, let real = realpath(path.text, nil) else { return path.text }
      defer { free(real) }
      return String(cString: real)
    }
  }
}
