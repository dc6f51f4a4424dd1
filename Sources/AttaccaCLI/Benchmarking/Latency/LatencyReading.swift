// SPDX-License-Identifier: Apache-2.0

/// What a recording says about one command: when it was first heard, and whether what was heard is
/// right.
struct LatencyReading: Hashable {
  /// What is to be heard once the fade is over.
  enum Expectation: Hashable {
    case silence
    /// The sound `sound`, as if its frame `number` had been the first new one.
    case sound(_ sound: Int, from: Int)
  }

  /// Frames behind the fade that are looked at.
  static let checked = 480

  /// The first frame that would not have been heard without the command.
  let firstNew: Int
  /// Silent frames where there should be sound.
  let silentFrames: Int
  /// What else was heard than it should; nil if nothing.
  let complaint: String?

  /// Where the frames cease to go on as they did; nil if they do not.
  static func firstChange(in frames: some Collection<SoundFrame>, after last: SoundFrame) -> Int? {
    var expected = last.next
    for (i, frame) in frames.enumerated() {
      if frame != expected { return i }
      expected = expected.next
    }
    return nil
  }

  /// How many frames have to be there behind the first new one.
  static func length(fade: Int) -> Int { fade + 2 + checked }

  /// Reads `frames`, which begin when the command is given.
  ///
  /// `firstNew` is where the first new one is among them. The fade's first frame may sound as if
  /// there were none. With `beginsInSilence`, silence before the first new frame is as it should
  /// be. `missable` is how many of the first new frames a recorder may have slept through.
  init(
    _ frames: [SoundFrame], firstNew: Int, fade: Int, expecting expectation: Expectation,
    beginsInSilence: Bool, missable: Int = 0
  ) {
    self.firstNew = firstNew
    let faded = firstNew + (fade > 0 ? fade + 2 : 0)
    let end = firstNew + Self.length(fade: fade)
    precondition(end <= frames.count, "\(frames.count) frames where \(end) are to be read")
    let rest = frames[faded..<end]
    switch expectation {
    case .silence:
      silentFrames = 0
      complaint = rest.allSatisfy { $0 == .silence } ? nil : "it is not silent"
    case .sound(let sound, let number):
      silentFrames = frames[(beginsInSilence ? firstNew : 0)..<end].count { $0 == .silence }
      complaint = Self.complaint(
        about: rest, sound: sound, number: number + faded - firstNew,
        slack: missable + (fade > 0 ? 2 : 0))
    }
  }

  private static func complaint(
    about frames: ArraySlice<SoundFrame>, sound: Int, number: Int, slack: Int
  ) -> String? {
    guard let first = frames.first, case .exact(sound, let begin) = first,
      abs(begin - number) <= slack
    else { return "\(frames.first!) where frame \(number) of sound \(sound) should be" }
    let change = firstChange(in: frames.dropFirst(), after: first)
    return change.map { "the sound breaks off \($0 + 1) frames behind the fade" }
  }
}
