// SPDX-License-Identifier: Apache-2.0

import Attacca
import TestServers
import Testing

/// Plays and records with `play`; again, five times in all, where a rewrite reached the sink late, or the server has
/// missed a cycle.
///
/// On a machine that is busy with something else that happens. The first frames of a fade are not heard
/// then, and the renderer says so; or the 2,048 frames of a cycle, and PipeWire says so.
func inTime<R>(
  sourceLocation: SourceLocation = #_sourceLocation,
  _ play: () throws -> (ServerPlayback, R)
) throws -> (ServerPlayback, R) {
  for _ in 0..<4 {
    let missed = try TestedServer.shared.missedCycles
    let result = try play()
    let isComplete = try TestedServer.shared.missedCycles == missed
    if isComplete, result.0.renderer.lateSpliceCount == 0 { return result }
  }
  let result = try play()
  if result.0.renderer.lateSpliceCount > 0 {
    Issue.record("a rewrite was late in each of five attempts", sourceLocation: sourceLocation)
  }
  return result
}
