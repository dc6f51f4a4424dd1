// SPDX-License-Identifier: Apache-2.0

import Attacca
import TestServers
import Testing

/// Plays and records with `play`; again, ten times in all, where a rewrite reached the sink late, or the server has
/// missed a cycle.
///
/// On a machine that is busy with something else that happens. The first frames of a fade are not heard
/// then, and the renderer says so; or the 2,048 frames of a cycle, and PipeWire says so. Beside three other
/// runs one of five skips was late five times in a row.
func inTime<R>(
  sourceLocation: SourceLocation = #_sourceLocation,
  _ play: () throws -> (ServerPlayback, R)
) throws -> (ServerPlayback, R) {
  var late: [Int] = []
  while true {
    let missed = try TestedServer.shared.missedCycles
    let result = try play()
    let isComplete = try TestedServer.shared.missedCycles == missed
    late.append(result.0.renderer.lateSpliceCount)
    if late.count > 1 { print("in time: \(late) late rewrites in \(late.count) attempts") }
    if isComplete, late.last == 0 { return result }
    guard late.count == 10 else { continue }
    if late.last! > 0 {
      Issue.record(
        "rewrites were late in the last of ten attempts: \(late)", sourceLocation: sourceLocation)
    }
    return result
  }
}
