// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import Foundation

/// Plays chapters at a speed, and goes on where it was left the last time.
///
///     swift run Audiobook place.json 1.25 chapter*.mp3    # Ctrl-C leaves it
///     swift run Audiobook place.json 1.25 chapter*.mp3 --silent --for 3
@main struct Audiobook {
  /// A place in the book, exactly: seconds as a number would be rounded.
  struct Place: Codable {
    var chapter: String
    var value: Int64
    var timescale: Int32

    static func load(_ path: String) throws -> Place? {
      guard FileManager.default.fileExists(atPath: path) else { return nil }
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      return try JSONDecoder().decode(Place.self, from: data)
    }

    func save(_ path: String) throws {
      // Atomic: a power cut leaves the old place or the new one.
      try JSONEncoder().encode(self).write(to: URL(fileURLWithPath: path), options: .atomic)
    }
  }

  static func main() async throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let isSilent = arguments.contains("--silent")
    arguments.removeAll { $0 == "--silent" }
    var limit: Double?
    if let i = arguments.firstIndex(of: "--for"), i + 1 < arguments.count {
      limit = Double(arguments[i + 1])
      arguments.removeSubrange(i...(i + 1))
    }
    guard arguments.count > 2, let speed = Double(arguments[1]), speed > 0 else {
      print("Audiobook PLACE SPEED CHAPTER... [--silent] [--for SECONDS]")
      exit(64)
    }
    let (file, chapters) = (arguments[0], Array(arguments[2...]))
    let player =
      isSilent
      ? SampleBufferPlayer(renderer: NullRenderer(latency: .powerSaving))
      : SampleBufferPlayer(renderer: try PulseAudioRenderer(latency: .powerSaving))
    let events = player.events
    player.playlist.append(contentsOf: chapters.map { PlaylistItem(path: $0) })
    player.defaultRate = speed  // The pitch stays: `renderer.audioTimePitchAlgorithm`.

    if let place = try Place.load(file), let chapter = chapters.firstIndex(of: place.chapter) {
      // From stopped it is paused there, and nothing is heard before `play()`.
      player.jump(
        to: chapter, offset: MediaTime(value: place.value, timescale: place.timescale))
      print("\(place.chapter) from \(Double(place.value) / Double(place.timescale)) s on")
    } else {
      print("from the beginning")
    }
    player.progressInterval = MediaTime(value: 5, timescale: 1)
    player.play()

    // Ctrl-C, or the time is up: the sound goes out, and the place is kept below.
    signal(SIGINT, SIG_IGN)
    let interrupt = DispatchSource.makeSignalSource(signal: SIGINT, queue: .main)
    interrupt.setEventHandler { player.pause() }
    interrupt.resume()
    if let limit {
      DispatchQueue.main.asyncAfter(deadline: .now() + limit) { player.pause() }
    }

    for await event in events {
      switch event {
      case .progress: try keep(player, in: file)
      case .rateDidChange(0):
        try keep(player, in: file)
        return
      case .itemsDidFail(let failures):
        for failure in failures { print(failure) }
      case .failed(let error): throw error
      case .endOfQueue:
        try FileManager.default.removeItem(atPath: file)
        print("the end")
        return
      default: break
      }
    }
  }

  private static func keep(_ player: SampleBufferPlayer, in file: String) throws {
    guard let span = player.currentSpan else { return }
    let time = player.currentTime
    try Place(chapter: span.item.path, value: time.value, timescale: time.timescale).save(file)
  }
}
