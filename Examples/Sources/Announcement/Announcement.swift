// SPDX-License-Identifier: Apache-2.0

import Attacca

/// Plays music, and an announcement over it whenever a line is entered, in one stream of one device: the music
/// goes down by 12 dB while that is heard, and comes back behind it.
///
///     swift run Announcement music.flac announcement.wav      # an empty line announces; the end of input ends
///     echo | swift run Announcement music.flac announcement.wav --silent
@main struct Announcement {
  static func main() async throws {
    let paths = CommandLine.arguments.dropFirst().filter { $0 != "--silent" }
    guard paths.count == 2 else {
      print("usage: Announcement MUSIC ANNOUNCEMENT [--silent]")
      return
    }
    let isSilent = CommandLine.arguments.contains("--silent")
    let bus: AudioBus = isSilent ? NullBus() : try PulseAudioBus()
    let music = SampleBufferPlayer(renderer: bus.makeRenderer())
    let announcer = SampleBufferPlayer(renderer: bus.makeRenderer())
    bus.duck(
      [music.renderer], by: -12, attack: MediaTime(value: 1, timescale: 10),
      release: MediaTime(value: 1, timescale: 2), while: announcer.renderer)

    music.playlist.append(PlaylistItem(path: paths[0]))
    music.setRepeatMode(.all)
    let musicEvents = music.events
    music.play()
    for await event in musicEvents {
      if case .itemsDidFail(let failures) = event { return print(failures) }
      if case .currentItemDidChange(_?) = event { break }
    }
    while readLine() != nil {
      let events = announcer.events
      announcer.playlist.append(PlaylistItem(path: paths[1]))
      announcer.play()
      for await event in events {
        if case .currentItemDidChange(_?) = event {
          print("announced at \(music.currentTime.seconds) s of the music")
        }
        if case .itemsDidFail(let failures) = event { print(failures) }
        if case .endOfQueue = event { break }
      }
      print("\(bus.clippedFrameCount) frames too loud")
    }
    music.stop()
  }
}
