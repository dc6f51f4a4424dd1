// SPDX-License-Identifier: Apache-2.0

import MediaTime

// On the serialization queue.
extension SampleBufferSerializer {
  /// The gain in decibels of what is about to be put on the timeline, or is there.
  func gain(of span: ItemSpan) -> Float {
    shared.snapshot.gain(of: span.passage.occurrence) ?? span.gain
  }

  /// Has what is on the timeline heard at the gains that it should have by now.
  func tellGains() {
    let plan = shared.snapshot
    // By the gain, so that a ramp goes on from one playing of an item into the next.
    var changes: [Float: Set<ContentKey>] = [:]
    for i in spans.indices {
      let occurrence = spans[i].passage.occurrence
      guard let gain = plan.gain(of: occurrence), gain != spans[i].gain else { continue }
      spans[i].gain = gain
      changes[gain, default: []].insert(occurrence.contentKey)
    }
    for (gain, keys) in changes {
      renderer.perform(.contentGain(Decibels.factor(gain)) { keys.contains($0) })
    }
  }
}

extension ItemSpan {
  /// Where it begins in the content, and how loud that is.
  var part: (key: ContentKey, begin: RationalTime, factor: Float) {
    (passage.occurrence.contentKey, begin, Decibels.factor(gain))
  }
}

extension Occurrence {
  /// The renderer's name for it.
  var contentKey: ContentKey { ContentKey(item: id.number, pass: pass) }
}
