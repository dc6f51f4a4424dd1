// SPDX-License-Identifier: Apache-2.0

import TestFixtures
import Testing

/// Asserts that `heard` is `wanted`, to the bit behind the first `fade` samples.
func expectFrames(
  _ heard: [Float], is wanted: [Float], behind fade: Int = 0,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(heard.count == wanted.count, sourceLocation: sourceLocation)
  #expect(
    firstDifference(Array(heard.dropFirst(fade)), Array(wanted.dropFirst(fade))) == nil,
    sourceLocation: sourceLocation)
}
