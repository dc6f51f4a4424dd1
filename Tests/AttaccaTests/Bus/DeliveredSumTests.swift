// SPDX-License-Identifier: Apache-2.0

import MediaTime
import Testing

@testable import Rendering

@Suite struct DeliveredSumTests {
  /// The device reads frame 480 whenever the voices wish for something.
  private static let table:
    [(
      BusLane.Transport, wish: BusLane.Transport, starts: Bool, stopAfter: StreamFrame?,
      BusLane.Transport
    )] = [
      (.stopped, .stopped, false, nil, .stopped),
      (.stopped, .running, true, nil, .running),
      (.stopped, .stopping(after: 960), true, 960, .stopping(after: 960)),
      (.running, .stopped, false, 480, .stopping(after: 480)),
      (.running, .running, false, nil, .running),
      (.running, .stopping(after: 960), false, 960, .stopping(after: 960)),
      (.stopping(after: 960), .stopped, false, nil, .stopping(after: 960)),
      (.stopping(after: 960), .running, true, nil, .running),
      (.stopping(after: 960), .stopping(after: 960), false, nil, .stopping(after: 960)),
      (.stopping(after: 960), .stopping(after: 720), false, 720, .stopping(after: 720)),
    ]

  @Test func `the device is told what the voices together wish for, and nothing twice`() {
    for (before, wish, starts, stopAfter, after) in Self.table {
      var sum = DeliveredSum()
      _ = sum.follow(before, read: 0)
      #expect(sum.transport == before)
      let told = sum.follow(wish, read: 480)
      #expect(told.starts == starts && told.stopAfter == stopAfter, "\(before), \(wish)")
      #expect(sum.transport == after, "\(before), \(wish)")
      sum.stopped()
      #expect(sum.transport == .stopped)
    }
  }

  @Test func `the first of all changes counts until the device has what was changed`() {
    var sum = DeliveredSum()
    #expect(!sum.isOutdated)
    for frame in [960, 480, 720] as [StreamFrame] { sum.sumChanged(from: frame) }
    #expect(sum.isOutdated && sum.changedFrom == 480 && sum.changedOutputFrom == .max)
    sum.delivered(upTo: 1_440)
    #expect(!sum.isOutdated && sum.end == 1_440)
    for frame in [960, 480, 720] as [StreamFrame] { sum.outputChanged(from: frame) }
    #expect(sum.isOutdated && sum.changedOutputFrom == 480 && sum.changedFrom == .max)
  }
}
