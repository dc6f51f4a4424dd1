// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import Rendering
import SampleBuffers

// On the serialization queue.
extension SampleBufferSerializer {
  /// Gives what is about to be put on the timeline the gain and the automation that it should have by now.
  func setGains(of span: inout ItemSpan) {
    assertOnQueue()
    let plan = shared.snapshot
    let own = plan.gain(of: span.range.occurrence) ?? span.item.gain
    span.gain = own + plan.order.loudnessGain(of: span.item)
    span.volumeAutomation = automation(of: span, plan) ?? span.item.volumeAutomation
  }

  /// The automation of an item, with the fade of the sleep timer in it where playing ends in the item; nil where
  /// that is not in the list.
  private func automation(of span: ItemSpan, _ plan: QueueState) -> VolumeAutomation? {
    let occurrence = span.range.occurrence
    guard let automation = plan.volumeAutomation(of: occurrence) else { return nil }
    guard let sleep = plan.sleep, occurrence == plan.current else { return automation }
    let end: RationalTime?
    if let stretch = plan.sleepingStretch {
      end = plan.isReversed ? stretch.start : stretch.end
    } else if plan.sleepsBehindCurrent {
      end = plan.isReversed ? .zero : span.duration
    } else {
      end = nil
    }
    guard let end else { return automation }
    return sleep.faded(automation, before: end, isReversed: plan.isReversed)
  }

  /// Has what is on the timeline heard at the gains that it should have by now.
  func tellGains() {
    assertOnQueue()
    let plan = shared.snapshot
    let order = plan.order
    lookForAlbums(order)
    // By the gain, so that a ramp goes on from one playing of an item into the next.
    var changes: [Float: Set<ContentKey>] = [:]
    for i in state.timeline.spans.indices {
      let occurrence = state.timeline.spans[i].range.occurrence
      guard let own = plan.gain(of: occurrence) else { continue }
      let gain = own + order.loudnessGain(of: state.timeline.spans[i].item)
      guard gain != state.timeline.spans[i].gain else { continue }
      state.timeline.spans[i].gain = gain
      changes[gain, default: []].insert(occurrence.contentKey)
    }
    for (gain, keys) in changes {
      renderer.setContentGain(Decibels.factor(gain)) { keys.contains($0) }
    }
    tellAutomation(of: plan)
    // What is mixed already has the gains in it.
    if isMixedAtOtherGains(in: order) { readUnheardAgain() }
  }

  /// Has the neighbours of what is on the timeline opened where their albums count from now on.
  private func lookForAlbums(_ order: PlayOrder) {
    let wasByAlbumOrder = lookAhead.isByAlbumOrder
    lookAhead.isByAlbumOrder = order.normalization.mode == .automatic
    let items = Set(state.timeline.spans.map(\.item))
    guard lookAhead.isByAlbumOrder, !wasByAlbumOrder, !items.isEmpty else { return }
    let (ahead, queue) = (decoders.ahead, queue)
    let tell: @Sendable () -> Void = { [weak self] in self?.tellGains() }
    NamedThread.start("attacca-open", stackSize: 1 << 20) {
      for item in items { order.lookForAlbum(of: item) { try ahead.another($0) } }
      queue.async(execute: tell)
    }
  }

  /// Tells whether an overlap that is not over yet has other gains in it than `order` says.
  private func isMixedAtOtherGains(in order: PlayOrder) -> Bool {
    guard order.crossfade != nil || state.timeline.spans.contains(where: { $0.range.entry != nil })
    else {
      return false
    }
    func isOther(_ overlap: Overlap?) -> Bool {
      guard let overlap else { return false }
      return order.renewed(overlap).transition != overlap.transition
    }
    if state.playing?.begun.contains(where: { isOther($0.tail?.overlap) }) == true { return true }
    let now = hearing?.2
    return state.timeline.spans.contains { span in
      guard let entry = span.range.entry, isOther(entry) else { return false }
      return now.map { span.lineStart + entry.duration > $0 } ?? true
    }
  }

  private func tellAutomation(of plan: QueueState) {
    var changes: [VolumeAutomation: Set<ContentKey>] = [:]
    for i in state.timeline.spans.indices {
      let occurrence = state.timeline.spans[i].range.occurrence
      guard let automation = automation(of: state.timeline.spans[i], plan),
        automation != state.timeline.spans[i].volumeAutomation
      else { continue }
      state.timeline.spans[i].volumeAutomation = automation
      changes[automation, default: []].insert(occurrence.contentKey)
    }
    for (automation, keys) in changes {
      renderer.setContentVolume(VolumeCurve(automation)) { keys.contains($0) }
    }
  }
}

extension ItemSpan {
  /// Part of the content with the place where it begins, and how loud it is.
  var part: ContentPart {
    part(at: begin, isMixed: range.entry != nil, skipped: skips.total)
  }

  /// Returns how loud its content is from `time` on, where a part of it begins.
  func part(_ part: OpenItem.VolumePart, at time: RationalTime) -> ContentPart {
    self.part(at: time, isMixed: part.isMixed, skipped: skips.total)
  }

  /// Returns how loud its content is behind what is left out: as far on as though that had been heard.
  func part(behind skip: SkippedParts.Part) -> ContentPart {
    part(at: lineStart + skip.line, isMixed: false, skipped: skip.sum)
  }

  private func part(at begin: RationalTime, isMixed: Bool, skipped: RationalTime) -> ContentPart {
    guard !isMixed else {
      return ContentPart(key: .none, begin: begin, factor: 1, volume: nil, zero: .zero)
    }
    let zero = range.isReversed ? lineStart + (duration ?? .zero) : lineStart
    return ContentPart(
      key: range.occurrence.contentKey, begin: begin, factor: Decibels.factor(gain),
      volume: VolumeCurve(volumeAutomation), zero: zero - skipped)
  }
}

extension Occurrence {
  /// The renderer's name for it.
  var contentKey: ContentKey { ContentKey(item: id.number, pass: pass) }
}
