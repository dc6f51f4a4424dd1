// SPDX-License-Identifier: Apache-2.0

import Attacca
import TestServers
import Testing

/// Plays and records with `play`; again, ten times in all, where more rewrites than `lateSplices` reached the sink
/// late, the server has missed a cycle, the stream ran dry more often than `underruns` while the machine stood still,
/// or that stood still for longer than any server lets a stream be without an answer.
///
/// On a machine that is busy with something else that happens. The first frames of a fade are not heard
/// then, and the renderer says so; or the 2,048 frames of a cycle, and PipeWire says so. Beside three other
/// runs one of five skips was late five times in a row. Behind 0.8 s in which the machine stood still a stream is
/// corked and goes on where it was, and a monitor had heard 1,536 frames of it. A stream that runs dry on a machine that
/// did not stand still is left for the test to complain about; but where it `runsDry` with so many seeks that a debug
/// build does not always follow.
func inTime<R>(
  underruns: Int = 0, lateSplices: Int = 0, runsDry: Bool = false,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ play: () throws -> (ServerPlayback, R)
) throws -> (ServerPlayback, R) {
  var attempts: [(lateRewrites: Int, missedCycles: Int, isKept: Bool)] = []
  while true {
    let (result, stood) = try Standstill.during(play)
    let playback = result.0
    let missed = playback.server.missedCycles(of: playback.sink)
    let isDry = playback.renderer.underrunCount > underruns
    let isKept =
      isDry && (runsDry || stood > playback.latency.reserve / 2) || stood > .milliseconds(400)
    let late = max(0, playback.renderer.lateSpliceCount - lateSplices)
    attempts.append((late, missed, isKept))
    if attempts.last! == (0, 0, false) { return result }
    print("not in time: \(attempts), \(stood) at most")
    if attempts.count == 10 {
      Issue.record("in none of ten attempts in time: \(attempts)", sourceLocation: sourceLocation)
      return result
    }
  }
}

extension Latency {
  /// The time that a program has from the server's request until it runs dry.
  fileprivate var reserve: Duration { .milliseconds(targetMilliseconds - requestMilliseconds) }
}
