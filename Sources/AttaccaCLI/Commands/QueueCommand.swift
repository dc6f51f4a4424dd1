// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca
import AttaccaService
import Glibc

struct QueueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue", abstract: "Shows and changes the queue of the service.",
    subcommands: [AddToQueueCommand.self, ListQueueCommand.self, ClearQueueCommand.self],
    defaultSubcommand: ListQueueCommand.self)
}

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

struct ListQueueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Shows the queue.")

  @OptionGroup var options: ServiceOptions

  func run() throws {
    let client = try options.connect()
    let (pairs, current): ([MusicClient.Pair], String?)
    do throws(MusicClientError) {
      pairs = try client.send("playlistinfo")
      current = try client.send("status").first { $0.name == "songid" }?.value
    } catch {
      throw Resuming.refusal("\(error)")
    }
    var (file, artist, title): (String, String?, String?) = ("", nil, nil)
    var (position, text) = ("", "")
    for (name, value) in pairs {
      switch name {
      case "file": (file, artist, title) = (value, nil, nil)
      case "Artist": artist = artist ?? value
      case "Title": title = title ?? value
      case "Pos": position = value
      case "Id":
        let name = title.map { title in artist.map { "\($0) - \(title)" } ?? title } ?? file
        let mark = value == current ? "> " : "  "
        text += "\(mark)\((Int(position) ?? 0) + 1). \(name)".withoutControls + "\n"
      default: break
      }
    }
    TextOutput.standard.write(text)
    TextOutput.standard.flush()
  }
}

struct ClearQueueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Takes all songs out of the queue.")
  @OptionGroup var options: ServiceOptions
  func run() throws { try options.send([("clear", [])]) }
}
