// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AttaccaService

struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Tells what the service plays.")

  @Flag(help: "Print JSON, by MPD's names.")
  var json = false

  @OptionGroup var options: ServiceOptions

  func run() throws {
    let client = try options.connect()
    let (status, song, position): ([MusicClient.Pair], [MusicClient.Pair], [MusicClient.Pair])
    do throws(MusicClientError) {
      (status, song) = (try client.send("status"), try client.send("currentsong"))
      position = try Self.position(client)
    } catch {
      throw Resuming.refusal("\(error)")
    }
    TextOutput.standard.write(
      json ? Self.json(status, song, position) : Self.text(status, song))
    TextOutput.standard.flush()
  }

  /// The exact position, which MPD itself does not tell.
  private static func position(
    _ client: MusicClient
  ) throws(MusicClientError) -> [MusicClient.Pair] {
    do throws(MusicClientError) {
      return try client.send("attacca_position")
    } catch {
      if case .refused = error { return [] }
      throw error
    }
  }

  private static func json(
    _ status: [MusicClient.Pair], _ song: [MusicClient.Pair], _ position: [MusicClient.Pair]
  ) -> String {
    func members(_ pairs: [MusicClient.Pair]) -> [(String, JSONValue)] {
      var members: [(String, JSONValue)] = []
      for (name, value) in pairs {
        // A name that comes again, as Artist, has an array.
        if let index = members.firstIndex(where: { $0.0 == name }) {
          let old = members[index].1
          if case .array(let values) = old {
            members[index].1 = .array(values + [.string(value)])
          } else {
            members[index].1 = .array([old, .string(value)])
          }
        } else {
          members.append((name, number(name, value) ?? .string(value)))
        }
      }
      return members
    }
    let all =
      members(status) + [
        ("currentsong", song.isEmpty ? .null : .object(members(song))),
        ("position", position.isEmpty ? .null : .object(members(position))),
      ]
    return JSONValue.object(all).text() + "\n"
  }

  private static let numbers: Set<String> = [
    "volume", "repeat", "random", "playlist", "playlistlength", "song", "songid", "elapsed",
    "duration", "bitrate", "nextsong", "nextsongid", "xfade", "mixrampdb", "updating_db", "Pos",
    "Id", "Time", "frame", "frames", "rate", "Prio",
  ]

  private static func number(_ name: String, _ value: String) -> JSONValue? {
    numbers.contains(name) && Double(value).map(\.isFinite) ?? false ? .number(value) : nil
  }

  private static func text(_ status: [MusicClient.Pair], _ song: [MusicClient.Pair]) -> String {
    func value(_ name: String, _ pairs: [MusicClient.Pair]) -> String? {
      pairs.first { $0.name == name }?.value
    }
    func clock(_ name: String) -> String? {
      value(name, status).flatMap { Double($0) }.map { ClockText.short(seconds: Int($0)) }
    }
    let state = ["play": "playing", "pause": "paused"][value("state", status) ?? ""] ?? "stopped"
    let title = value("Title", song).map { title in
      value("Artist", song).map { "\($0) - \(title)" } ?? title
    }
    var line = state
    if let position = value("song", status).flatMap({ Int($0) }) {
      line += " \(position + 1) of \(value("playlistlength", status) ?? "?")"
      if let elapsed = clock("elapsed") {
        line += ", \(elapsed)" + (clock("duration").map { " of \($0)" } ?? "")
      }
      line += ": " + (title ?? value("file", song) ?? "")
    }
    if let error = value("error", status) { line += "\n\(error)" }
    return line.split(separator: "\n").map { String($0).withoutControls + "\n" }.joined()
  }
}
