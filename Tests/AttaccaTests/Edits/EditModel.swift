// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
@testable import Rendering

/// What a player must play: plain arrays, and one frame at a time.
struct EditModel {
  enum Place: Equatable {
    case stopped
    case ended(gap: Int)
    case at(RampItem, frame: Int)
  }

  private(set) var items: [RampItem] = []
  private(set) var place = Place.stopped
  private(set) var isPlaying = false
  private var original: [RampItem]?
  private var repeatMode = RepeatMode.off
  private var loop: (item: RampItem, from: Int, to: Int)?
  private var stopsAfterCurrent = false

  var current: RampItem? {
    if case .at(let item, _) = place { item } else { nil }
  }

  /// Whether frames come if one pulls.
  var isHeard: Bool { isPlaying && current != nil }

  // MARK: Playing

  /// The next `count` frames, as far as there are any.
  mutating func pull(_ count: Int) -> [Float] {
    var frames: [Float] = []
    while frames.count < count, isPlaying, case .at(let item, let frame) = place {
      let taken = min(count - frames.count, end(of: item) - frame)
      for i in 0..<taken { frames.append(RampSource.sample(item.number, frame + i)) }
      place = .at(item, frame: frame + taken)
      settle()
    }
    return frames
  }

  private func end(of item: RampItem) -> Int {
    loop?.item == item ? min(item.heardLength, loop!.to) : item.heardLength
  }

  /// Goes on to the next frame that there is.
  mutating func settle() {
    var tried: Set<RampItem> = []
    while case .at(let item, let frame) = place, frame >= end(of: item) {
      let isFromStart = frame == (loop?.item == item ? loop!.from : 0)
      if isFromStart && !tried.insert(item).inserted {
        return finish(gap: items.count)
      }
      let index = items.firstIndex(of: item)!
      if let loop, loop.item == item {
        place = .at(item, frame: loop.from)
        if loop.from >= end(of: item) && !tried.insert(item).inserted {
          return finish(gap: items.count)
        }
      } else if stopsAfterCurrent {
        return finish(gap: index + 1)
      } else if repeatMode == .one {
        place = .at(item, frame: 0)
        if end(of: item) == 0 { return finish(gap: items.count) }
      } else if let next = next(after: index) {
        place = .at(next, frame: 0)
      } else {
        return finish(gap: index + 1)
      }
    }
  }

  private mutating func finish(gap: Int) {
    place = .ended(gap: gap)
    if stopsAfterCurrent { (stopsAfterCurrent, isPlaying) = (false, false) }
  }

  private func next(after index: Int) -> RampItem? {
    if index + 1 < items.count { return items[index + 1] }
    return repeatMode == .all ? items.first : nil
  }

  private mutating func goOnIfArmed() {
    if isPlaying, case .ended(let gap) = place, gap < items.count {
      place = .at(items[gap], frame: 0)
    }
  }

  /// What was current has gone from the place before `index`.
  private mutating func succeed(at index: Int) {
    if let next = next(after: index - 1) {
      place = .at(next, frame: 0)
    } else {
      place = .ended(gap: items.count)
    }
  }

  // MARK: Operations

  mutating func insert(_ new: [RampItem], at index: Int) {
    items.insert(contentsOf: new, at: index)
    if case .ended(let gap) = place, index < gap { place = .ended(gap: gap + new.count) }
    goOnIfArmed()
  }

  mutating func remove(_ range: Range<Int>) {
    let gone = Array(items[range])
    items.removeSubrange(range)
    if let loop, gone.contains(loop.item) { self.loop = nil }
    if case .ended(let gap) = place {
      place = .ended(gap: gap - range.clamped(to: 0..<gap).count)
    }
    if let current, gone.contains(current) { succeed(at: range.lowerBound) }
  }

  mutating func move(_ source: Int, _ destination: Int) {
    items.insert(items.remove(at: source), at: destination)
  }

  mutating func replace(_ index: Int, _ new: RampItem) {
    let old = items[index]
    items[index] = new
    if loop?.item == old { loop = nil }
    if current == old { succeed(at: index) }
  }

  mutating func replaceAll(_ new: [RampItem]) {
    (items, original) = (new, nil)
    if let loop, !new.contains(loop.item) { self.loop = nil }
    if case .ended = place { place = .ended(gap: 0) }
    goOnIfArmed()
    if let current, !new.contains(current) { succeed(at: 0) }
  }

  /// Several edits as one.
  mutating func edit(_ changes: [ItemChange]) {
    let old = items
    var touched: Set<RampItem> = []
    for change in changes { touched.formUnion(change.apply(to: &items)) }
    if touched.isEmpty { return }
    /// Behind the last item in front of `index` that stayed where it was.
    func present(_ index: Int) -> Int {
      let neighbour = old[..<index].last { !touched.contains($0) }
      return neighbour.map { items.firstIndex(of: $0)! + 1 } ?? 0
    }
    if let loop, !items.contains(loop.item) { self.loop = nil }
    switch place {
    case .stopped: break
    case .ended(let gap):
      place = .ended(gap: present(gap))
      goOnIfArmed()
    case .at(let item, _):
      if !items.contains(item) { succeed(at: present(old.firstIndex(of: item)!)) }
    }
  }

  mutating func shuffle(_ seed: UInt64) {
    original = original ?? items
    var generator = ShuffleGenerator(seed: seed)
    generator.shuffle(&items)
    if let current, let index = items.firstIndex(of: current) { items.swapAt(0, index) }
  }

  mutating func unshuffle() {
    guard let original else { return }
    var sorted = original.filter(items.contains)
    for (i, item) in items.enumerated() where !original.contains(item) {
      let before = i == 0 ? nil : sorted.firstIndex(of: items[i - 1])
      sorted.insert(item, at: before.map { $0 + 1 } ?? 0)
    }
    (items, self.original) = (sorted, nil)
  }

  mutating func setRepeatMode(_ mode: RepeatMode) { repeatMode = mode }

  mutating func jump(_ item: RampItem, frame: Int) { place = .at(item, frame: frame) }

  mutating func skip() {
    guard let current else { return }
    succeed(at: items.firstIndex(of: current)! + 1)
  }

  mutating func goBack() {
    guard case .at(let item, let frame) = place else { return }
    let index = items.firstIndex(of: item)!
    if frame > 3 * RampSource.rate {
      place = .at(item, frame: 0)
    } else if index > 0 {
      place = .at(items[index - 1], frame: 0)
    } else {
      place = .at(repeatMode == .all ? items.last! : item, frame: 0)
    }
  }

  mutating func seek(_ frame: Int) {
    if let current { place = .at(current, frame: max(0, frame)) }
  }

  mutating func seekBy(_ distance: Int) {
    if case .at(_, let frame) = place { seek(frame + distance) }
  }

  mutating func setLoop(_ from: Int, _ to: Int) {
    guard case .at(let item, let frame) = place else { return }
    loop = (item, from, to)
    if frame >= to { place = .at(item, frame: from) }
  }

  mutating func endLoop() { loop = nil }

  mutating func stopAfterCurrent(_ stops: Bool) { stopsAfterCurrent = stops && current != nil }

  mutating func play() {
    switch place {
    case .at: break
    case .stopped:
      if items.isEmpty { return }
      place = .at(items[0], frame: 0)
    case .ended(let gap):
      if !items.isEmpty { place = .at(items[gap < items.count ? gap : 0], frame: 0) }
    }
    isPlaying = true
  }

  mutating func pause() { isPlaying = false }

  mutating func toggle() { if isHeard { pause() } else { play() } }

  mutating func stop() {
    (place, isPlaying, stopsAfterCurrent) = (.stopped, false, false)
  }
}
