// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import MediaTime
import SampleBuffers
import TestServers
import Testing

/// Sinks that go, and come back at once as others.
@Suite struct ReturnTests {
  private static let formats = [FaultScene.a.format, FaultScene.surround.format]

  /// PipeWire hands what it is to convert between stereo and six channels on as it is: with frames for the
  /// sink that had been there a sound went on at a third of its speed.
  @Test(arguments: FaultScene.Kind.allCases, [0, 100])
  func `a sink that comes back with another format is played on in that`(
    kind: FaultScene.Kind, milliseconds: Int
  ) async throws {
    try await onOwnThread {
      let scene = try FaultScene(kind, seconds: 20, sinks: [FaultScene.a, FaultScene.b])
      scene.player.setRepeatMode(.all)
      scene.player.play()
      try scene.waitUntil(0.8)
      for round in 1...4 {
        let format = Self.formats[round % 2]
        try scene.server.removeSink("a")
        scene.last(Double(milliseconds) / 1e3)
        _ = try scene.server.makeSink(named: "a", format: format)
        let isThere = try Self.isThere {
          scene.renderer.deviceName == "a" && scene.renderer.format == format
        }
        #expect(
          isThere,
          """
          round \(round): \(scene.renderer.format) on \(scene.renderer.deviceName ?? "none"), \
          \(scene.events.sentences)
          """)
      }
    }
  }

  /// Whether `condition` comes to hold within 10 s, and holds for half a second.
  private static func isThere(_ condition: () -> Bool) throws -> Bool {
    let end = HostTime.now() + 10_000_000_000
    var since: UInt64?
    while HostTime.now() < end {
      since = condition() ? since ?? HostTime.now() : nil
      if let since, HostTime.now() > since + 500_000_000 { return true }
      Thread.sleep(forTimeInterval: 0.02)
    }
    return false
  }
}
