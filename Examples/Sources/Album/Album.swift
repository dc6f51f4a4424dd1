// SPDX-License-Identifier: Apache-2.0

import Attacca
import Glibc

/// Plays files one after the other, without a gap, and says what is heard.
///
///     swift run Album *.flac
///     swift run Album --silent *.flac    # in real time into nothing, without a sound server
@main struct Album {
  static func main() async throws {
    var paths = Array(CommandLine.arguments.dropFirst())
    let isSilent = paths.first == "--silent"
    if isSilent { paths.removeFirst() }
    guard !paths.isEmpty else {
      print("Album [--silent] FILE...")
      exit(64)
    }
    let player =
      isSilent ? SampleBufferPlayer(renderer: NullRenderer()) : try SampleBufferPlayer()
    // Before anything is asked for: each caller has the events from then on.
    let events = player.events
    player.playlist.append(contentsOf: paths.map { PlaylistItem(path: $0) })
    player.play()
    for await event in events {
      switch event {
      case .currentItemDidChange(let item?):
        let span = player.currentSpan
        print("\(span?.tags.title ?? item.path), from \(span?.start.seconds ?? 0) s on")
      case .waitingBegan(let wait):
        print("\(wait) ...")
      case .itemsDidFail(let failures):
        // Those are left out, and the next one plays.
        for failure in failures { print(failure) }
      case .failed(let error):
        throw error
      case .endOfQueue:
        return
      default:
        break
      }
    }
  }
}
