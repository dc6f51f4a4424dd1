// SPDX-License-Identifier: Apache-2.0

/// What a monitor hears, taken apart: frames of an item in order, an item's last one followed by an
/// item's first, and the turns that are anything else.
struct LegalHistory {
  /// A frame that may be one by accident names itself only with so many behind it.
  private static let proof = 8
  /// Frames of the longest fade, and of those that overlap it.
  private static let longestFade = 48_000

  private let items: NamedItems
  private(set) var sound = Turn.Sound.nothing
  /// Frames in a row that are an item's, each the next one.
  private(set) var inOrder = 0
  /// Frames that are neither `sound` nor known to be another, interleaved.
  private var between: [Float] = []
  /// What the last of them are: the same sound, or the frames of an item in order.
  private var tail: (sound: Turn.Sound, count: Int) = (.nothing, 0)
  /// Frames taken.
  private var count = 0
  /// The last four of them, interleaved.
  private(set) var newest: [Float] = []

  init(_ items: NamedItems) { self.items = items }

  /// The item and frame that was heard last, where it was one's.
  var last: NamedFrame? {
    guard between.isEmpty, case .frame(let next) = sound else { return nil }
    return NamedFrame(item: next.item, frame: next.frame - 1)
  }

  /// Takes the next frames, interleaved.
  mutating func hear(_ samples: UnsafeBufferPointer<Float>) -> [Turn] {
    var turns: [Turn] = []
    guard let first = samples.baseAddress else { return [] }
    let frames = samples.count / 2
    newest = Array(samples.suffix(8))
    var i = 0
    while i < frames {
      if between.isEmpty {
        let followed = follow(first + 2 * i, frames - i)
        i += followed
        count += followed
        if followed > 0 { continue }
      }
      if sound == .unnamed, tail.count == 0 {
        // What goes on without a name is not kept, and looked at no more than it must be.
        between = []
        let skipped = nameless(first + 2 * i, frames - i)
        i += skipped
        count += skipped
        guard i < frames else { break }
      }
      if let turn = stray(first[2 * i], first[2 * i + 1]) { turns.append(turn) }
      i += 1
    }
    return turns
  }

  /// How many frames go on as they did.
  private mutating func follow(_ samples: UnsafePointer<Float>, _ frames: Int) -> Int {
    switch sound {
    case .silence:
      var i = 0
      while i < frames, samples[2 * i] == 0, samples[2 * i + 1] == 0 { i += 1 }
      return i
    case .frame(var next):
      if next.frame == items.length(of: next.item) {
        guard let first = items.frame(samples[0], samples[1]), first.frame == 0 else { return 0 }
        next = first
      }
      let matched = items.matches(samples, frames, from: next)
      sound = .frame(NamedFrame(item: next.item, frame: next.frame + matched))
      inOrder += matched
      return matched
    case .nothing, .unnamed: return 0
    }
  }

  /// How many frames can be no item's and are no silence.
  private func nameless(_ samples: UnsafePointer<Float>, _ frames: Int) -> Int {
    var i = 0
    while i < frames {
      let item = samples[2 * i + 1] * Float(Heard.itemLimit)
      if item == item.rounded(), item >= 0 { break }
      i += 1
    }
    return i
  }

  /// Takes a frame that does not go on as it did.
  private mutating func stray(_ left: Float, _ right: Float) -> Turn? {
    count += 1
    between += [left, right]
    let now: Turn.Sound =
      if left == 0 && right == 0 {
        .silence
      } else if let place = items.frame(left, right) {
        .frame(place)
      } else {
        .unnamed
      }
    switch (tail.sound, now) {
    case (.silence, .silence): tail.count += 1
    case (.frame(let next), .frame(let place))
    where place == next || place.frame == 0 && next.frame == items.length(of: next.item):
      tail = (.frame(NamedFrame(item: place.item, frame: place.frame + 1)), tail.count + 1)
    case (_, .frame(let place)):
      tail = (.frame(NamedFrame(item: place.item, frame: place.frame + 1)), 1)
    case (_, .silence): tail = (.silence, 1)
    default: tail = (.unnamed, 0)
    }
    if tail.count == Self.proof { return turn() }
    guard between.count >= 2 * Self.longestFade else { return nil }
    // It is no fade: all of it is told once, and what comes is looked at alone.
    let told = Turn(
      expected: sound, heard: .unnamed, faded: 0, isFade: false, end: count - between.count / 2)
    between = []
    (sound, inOrder) = (.unnamed, 0)
    return told
  }

  /// Goes on with what the tail is.
  private mutating func turn() -> Turn? {
    let faded = between.count / 2 - tail.count
    let begin =
      switch tail.sound {
      case .frame(let next):
        // Where the tail goes over a joint, its first frame is the other item's.
        items.frame(between[2 * faded], between[2 * faded + 1]).map(Turn.Sound.frame)
          ?? .frame(next)
      default: tail.sound
      }
    let isFade =
      faded == 0 || Fading(items, from: sound, to: begin).explains(between[..<(2 * faded)])
    let told = Turn(
      expected: sound, heard: begin, faded: faded, isFade: isFade, end: count - tail.count)
    let isSame = faded == 0 && begin == .silence && sound == .silence
    (sound, inOrder) = (tail.sound, tail.count)
    (between, tail) = ([], (.nothing, 0))
    return isSame || told.expected == .nothing && told.heard == .silence ? nil : told
  }
}
