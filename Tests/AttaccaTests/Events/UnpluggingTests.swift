// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
@testable import Rendering
import Testing

/// Devices that go away while they are played on.
@Suite struct UnpluggingTests {
  private let offline = ReversedPlayback(["ramp 1 20000"]).offline
  private var player: SampleBufferPlayer { offline.player }

  /// Plays a little, and has the sound server tell of another device.
  private func play(then change: RouteChange) {
    player.play()
    _ = offline.pull(480)
    offline.settle()
    offline.renderer.output.withLock { offline.renderer.outputTells(.routeDidChange(change)) }
    offline.settle()
  }

  private static func change(
    _ reason: RouteChange.Reason, to current: String? = "speaker"
  ) -> RouteChange {
    RouteChange(reason: reason, previous: "headphones", current: current)
  }

  @Test(arguments: [
    change(.oldDeviceUnavailable), change(.oldDeviceUnavailable, to: "headphones"),
    change(.noSuitableRouteForCategory, to: nil),
  ])
  func `who wants that pauses when the device goes away, and goes on from there`(
    change: RouteChange
  ) {
    player.pausesWhenUnplugged = true
    play(then: change)
    #expect(player.timeControlStatus == .paused)
    player.play()
    offline.settle()
    #expect(player.timeControlStatus == .playing)
  }

  @Test(arguments: [
    change(.newDeviceAvailable), change(.override),
    change(.routeConfigurationChange, to: "headphones"),
    RouteChange(reason: .newDeviceAvailable, previous: nil, current: "speaker"),
  ])
  func `another device that was chosen, or has appeared, pauses nobody`(change: RouteChange) {
    player.pausesWhenUnplugged = true
    play(then: change)
    #expect(player.timeControlStatus == .playing)
  }

  @Test func `playing goes on where nobody asked for a pause`() {
    play(then: Self.change(.oldDeviceUnavailable))
    #expect(player.timeControlStatus == .playing)
  }
}
