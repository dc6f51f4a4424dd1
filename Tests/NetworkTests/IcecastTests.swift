// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import TestFixtures
import Testing

@testable import AttaccaNetwork

/// A broadcast of a real server.
@Suite("Icecast", .serialized) struct IcecastTests {
  /// A source of the broadcast, once there is one.
  private func source(_ server: IcecastServer) async throws -> HTTPSource {
    let address = "http://127.0.0.1:\(server.port)/radio"
    let end = ContinuousClock.now + .seconds(15)
    while true {
      let source = try #require(HTTPSource(address))
      do {
        let reader = try await source.open()
        reader.cancel()
        return source
      } catch let error as SoundFileError where ContinuousClock.now < end {
        guard error.code == 7 || error.code == 404 else { throw error }
        await Task.yield()
      }
    }
  }

  private func tell(_ title: String, _ server: IcecastServer) throws {
    let address = try #require(
      NetworkAddress(
        "http://admin:secret@127.0.0.1:\(server.port)/admin/metadata?mount=/radio&mode=updinfo&song=\(title)"
      ))
    _ = try ListLoading.load(address, HTTPOptions(), atMost: 1 << 16)
  }

  @Test func `titles of an MP3 broadcast are told while it plays`() async throws {
    let server = try IcecastServer(
      path: Fixtures.path("formats/mp3-cbr-no-header.mp3"),
      arguments: "-c copy -f mp3 -content_type audio/mpeg")
    let source = try await source(server)
    try tell("First", server)
    let player = SampleBufferPlayer(renderer: NullRenderer(), fade: .none)
    let events = player.events
    player.playlist.append(PlaylistItem(source))
    player.play()
    var titles: [String] = []
    for await event in events {
      switch event {
      case .itemsDidFail(let failures): Issue.record("\(failures)\n\(server.log)")
      case .tagsDidChange(_, let tags):
        titles.append(tags.title ?? "")
        if titles.last == "First" { try tell("Second", server) }
      default: break
      }
      if titles.last == "Second" || !titles.isEmpty && titles.count > 4 { break }
      if case .itemsDidFail = event { break }
    }
    #expect(titles.suffix(2) == ["First", "Second"])
    #expect(player.currentSpan?.tags.title == "Second")
    #expect(source.isBroadcast == true)
    player.stop()
  }
}
