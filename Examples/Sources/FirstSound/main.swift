// SPDX-License-Identifier: Apache-2.0

import Attacca

let player = try SampleBufferPlayer()
let events = player.events
player.playlist.append(PlaylistItem(path: CommandLine.arguments[1]))
player.play()
for await event in events {
  if case .itemsDidFail(let failures) = event { print(failures) }
  if case .endOfQueue = event { break }
}
