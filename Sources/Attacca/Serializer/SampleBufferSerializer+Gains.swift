// SPDX-License-Identifier: Apache-2.0

import MediaTime

// On the serialization queue.
extension SampleBufferSerializer {
  /// Gives what is about to be put on the timeline the gain and the automation that it should have by now.
  func setGains(of span: inout ItemSpan) {
    let plan = shared.snapshot
    if let gain = plan.gain(of: span.passage.occurrence) { span.gain = gain }
    span.volumeAutomation =
      plan.volumeAutomation(of: span.passage.occurrence) ?? span.item.volumeAutomation
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
    tellAutomation(of: plan)
  }

  private func tellAutomation(of plan: QueueState) {
    var changes: [VolumeAutomation: Set<ContentKey>] = [:]
    for i in spans.indices {
      let occurrence = spans[i].passage.occurrence
      guard let automation = plan.volumeAutomation(of: occurrence),
        automation != spans[i].volumeAutomation
      else { continue }
      spans[i].volumeAutomation = automation
      changes[automation, default: []].insert(occurrence.contentKey)
    }
    for (automation, keys) in changes {
      renderer.perform(.contentVolume(VolumeCurve(automation)) { keys.contains($0) })
    }
  }
}

extension ItemSpan {
  /// Where it begins in the content, and how loud that is.
  var part: ContentPart {
    ContentPart(
      key: passage.occurrence.contentKey, begin: begin, factor: Decibels.factor(gain),
      volume: VolumeCurve(volumeAutomation),
      zero: passage.isReversed ? lineStart + (duration ?? .zero) : lineStart)
  }
}

extension Occurrence {
  /// The renderer's name for it.
  var contentKey: ContentKey { ContentKey(item: id.number, pass: pass) }
}
