// SPDX-License-Identifier: Apache-2.0

import Listening

/// The frame at which one command was first heard, and whether all until the next one is right.
///
/// Numbers are the reference's.
struct LatencyReading {
  /// The sound that is to be heard once the fade is over.
  enum Expectation: Hashable {
    case silence
    /// The sound `sound`, as if its frame `number` had been the first new one.
    case sound(_ sound: Int, from: Int)
    /// The same sound without a step, at another gain.
    case same
  }

  /// A command as it was given.
  struct Command {
    var expectation: Expectation
    let beginsInSilence: Bool
    /// The factor on the samples before it, a power of 2.
    var oldGain: Float = 1
    /// The same after it.
    var newGain: Float = 1
    /// Frames of its fade.
    let fade: Int
    /// First frames of what is new that the monitor may not hear, where its sink had taken others before and given
    /// those back.
    var hidden = 0
    /// Frames by which it may be heard before the moment at which it was given, where the server's clock is as
    /// coarse as its cycles.
    var leeway = 0
  }

  /// The number of the first frame that would not have been heard without the command; nil if none.
  let firstNew: Int?
  /// The frame that would have been heard in its place.
  let replaced: SoundFrame
  /// Silent frames where there should be sound.
  let silentFrames: Int
  /// Frames before the first one that was recorded that the sink has played and its monitor did not hear.
  private(set) var hiddenFrames = 0
  /// Complaint about what else was heard than it should; nil for none.
  let complaint: String?

  /// Reads what is heard from `begin`, at which the command was given, up to `end`.
  ///
  /// Frames that the monitor did not give are taken for right. The fade's first frame may sound as if
  /// there were none.
  init(_ heard: HeardFrames, from begin: Int, to end: Int, of command: Command) {
    let before = (begin - command.leeway...begin).first { heard[$0] != nil }
    guard let before, let sample = heard[before] else {
      (firstNew, replaced, silentFrames) = (nil, .other, 0)
      complaint = "the monitor gave nothing when it was given"
      return
    }
    var expected = SoundFrame(sample, gain: command.oldGain)
    let isSteady =
      if case .exact = expected { !command.beginsInSilence } else {
        expected == .silence && command.beginsInSilence
      }
    guard isSteady else {
      (firstNew, replaced, silentFrames) = (nil, expected, 0)
      complaint = "before it \(expected) is heard"
      return
    }
    var number = before + 1
    while number < end {
      expected = expected.next
      let isExpected = heard[number].map {
        SoundFrame($0, gain: command.oldGain) == expected
      }
      if isExpected == false { break }
      number += 1
    }
    replaced = expected
    guard number < end else {
      (firstNew, silentFrames, complaint) = (nil, 0, "it is not heard")
      return
    }
    let faded = number + (command.fade > 0 ? command.fade + 2 : 0)
    var silent = 0
    if command.expectation != .silence {
      silent = (number..<end).count { heard[$0] == 0 }
    }
    silentFrames = silent
    hiddenFrames = Self.hidden(in: heard, from: faded, to: end, recorded: number, command)
    let first = number - hiddenFrames
    firstNew = first
    complaint = Self.complaint(
      about: heard, from: faded, to: end, firstNew: first, replaced: expected, command)
  }

  private static func hidden(
    in heard: HeardFrames, from faded: Int, to end: Int, recorded: Int, _ command: Command
  ) -> Int {
    guard command.hidden > 0,
      case .sound(let sound, let number) = command.expectation,
      let first = (faded..<max(faded, end)).first(where: { heard[$0] != nil }),
      case .exact(sound, let found) = SoundFrame(heard[first]!, gain: command.newGain)
    else { return 0 }
    let missing = found - (number + first - recorded)
    return 1...command.hidden ~= missing ? missing : 0
  }

  private static func complaint(
    about heard: HeardFrames, from faded: Int, to end: Int, firstNew: Int, replaced: SoundFrame,
    _ command: Command
  ) -> String? {
    let first = (faded..<max(faded, end)).first { heard[$0] != nil }
    guard let first else { return "nothing is recorded behind the fade" }
    let frame = SoundFrame(heard[first]!, gain: command.newGain)
    let wanted: SoundFrame
    var slack = command.fade > 0 ? 2 : 0
    switch (command.expectation, replaced) {
    case (.silence, _): wanted = .silence
    case (.sound(let sound, let number), _):
      wanted = .exact(sound: sound, number: number + first - firstNew)
    case (.same, .exact(let sound, let number)):
      wanted = .exact(sound: sound, number: number + first - firstNew)
      slack = 0
    case (.same, _): wanted = .other
    }
    guard frame.isNear(wanted, within: slack) else { return "\(frame) where \(wanted) should be" }
    var expected = frame
    for number in first + 1..<max(end, first + 1) {
      expected = expected.next
      guard let sample = heard[number] else { continue }
      let frame = SoundFrame(sample, gain: command.newGain)
      if frame != expected {
        return
          "\(frame) where \(expected) should be, \(number - firstNew) frames after the first new"
      }
    }
    return nil
  }
}

extension SoundFrame {
  fileprivate func isNear(_ other: SoundFrame, within slack: Int) -> Bool {
    guard case .exact(let sound, let number) = self,
      case .exact(let otherSound, let otherNumber) = other
    else { return self == other }
    return sound == otherSound && abs(number - otherNumber) <= slack
  }
}
