// SPDX-License-Identifier: Apache-2.0

/// What is to be heard of one item, from `frame` on, until the next one takes over.
struct ExpectedSound {
  let item: Int
  let frame: Int
  /// It takes over by a crossfade, not where the one before it ends.
  let isSplice: Bool
}

/// A stereo recording of numbered frames.
struct NumberedRecording {
  let samples: [Float]
  /// Frames of each item, and of each crossfade.
  let (length, fade): (Int, Int)

  private var count: Int { samples.count / 2 }

  /// The item and number of a frame that is as it was written; nil for all others.
  private func name(_ frame: Int) -> (item: Int, number: Int)? {
    let number = samples[2 * frame] * Float(Heard.frameLimit)
    let item = samples[2 * frame + 1] * Float(Heard.itemLimit)
    guard number >= 1, item >= 1, number == number.rounded(), item == item.rounded() else {
      return nil
    }
    return (Int(item), Int(number) - 1)
  }

  /// A splice is late by at most so much; far more than any block.
  private static let latest = 4_800

  /// What is wrong with the recording; nil where it is `expected` one after the other, outside the
  /// crossfades to the bit.
  ///
  /// `lateCount` becomes how many splices began after the frame that they were meant for: what
  /// follows is then still at its place, but a part of the crossfade is missing. One that came late is delayed where it
  /// can be; where that comes late, too, what was heard of it is heard again, as far as it was delayed.
  func complaint(about expected: [ExpectedSound], lateCount: inout Int) -> String? {
    lateCount = 0
    var position = 0
    while position < count, samples[2 * position] == 0 { position += 1 }
    for (i, sound) in expected.enumerated() {
      var number = sound.frame
      let before = lateCount
      if sound.isSplice {
        guard let end = crossfadeEnd(at: position, to: sound) else {
          let begin = (max(0, position - 2)..<position + 3).map(heard).joined(separator: ", ")
          return "\(sound) does not follow within a crossfade, which begins \(begin)"
        }
        for frame in position..<end.frame
        where samples[2 * frame] == 0 || samples[2 * frame + 1] == 0 {
          return "frame \(frame) is silent on the way to \(sound)"
        }
        // The first mixed frames may round to what was there before.
        if end.number - (end.frame - position) - sound.frame > 2 { lateCount += 1 }
        (position, number) = end
      }
      let begin = position
      number = purelyHeard(sound.item, from: number, at: &position)
      if sound.isSplice, !follows(i + 1, of: expected, at: position),
        let again = crossfadeEnd(at: position, to: sound), again.number < number
      {
        lateCount = max(lateCount, before + 1)
        position = again.frame
        number = purelyHeard(sound.item, from: again.number, at: &position)
      }
      if position == begin { return "at \(position) is \(heard(position)) instead of \(sound)" }
      if i + 1 < expected.count, !expected[i + 1].isSplice, number != length {
        return "\(sound) breaks off at \(number), which \(heard(position)) follows"
      }
    }
    return position == count ? nil : "at \(position) of \(count) is \(heard(position))"
  }

  /// Goes behind what is heard of `item` from frame `number` on, to the bit, and returns what would come next of it.
  private func purelyHeard(_ item: Int, from number: Int, at position: inout Int) -> Int {
    var number = number
    while position < count, let name = name(position), name == (item, number) {
      position += 1
      number += 1
    }
    return number
  }

  /// Whether what is heard from `position` on is what is expected next.
  private func follows(_ i: Int, of expected: [ExpectedSound], at position: Int) -> Bool {
    guard expected.indices.contains(i) else { return false }
    return !expected[i].isSplice || crossfadeEnd(at: position, to: expected[i]) != nil
  }

  /// The first frame behind what is heard of the crossfade to `sound`, and its number; nil where there is none within
  /// a crossfade's length.
  ///
  /// Of a late splice a part of the crossfade is missing, and the next one may begin before the rest of its length is
  /// over. One of 128 mixed frames of an item has a number of its own by chance, three in a row have not.
  private func crossfadeEnd(at position: Int, to sound: ExpectedSound) -> (frame: Int, number: Int)?
  {
    for frame in position...position + fade where frame + 2 < count {
      guard let name = name(frame), name.item == sound.item,
        (0...Self.latest).contains(name.number - sound.frame - fade),
        (1...2).allSatisfy({ self.name(frame + $0).map { $0.number } == name.number + $0 })
      else { continue }
      return (frame, name.number)
    }
    return nil
  }

  private func heard(_ frame: Int) -> String {
    guard frame < count else { return "the end" }
    if let name = name(frame) { return "frame \(name.number) of item \(name.item)" }
    return "(\(samples[2 * frame]), \(samples[2 * frame + 1]))"
  }
}
