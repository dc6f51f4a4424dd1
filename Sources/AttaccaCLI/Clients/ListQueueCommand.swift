// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AttaccaService

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
