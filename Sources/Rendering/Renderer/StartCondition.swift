// SPDX-License-Identifier: Apache-2.0

/// Frames that have to lie ahead before a line starts, or goes on that had nothing left.
struct StartCondition {
  /// A start waits until there is enough, not only something.
  var waitsForSufficientData = true
  /// Less than enough is started with, until there is more: that takes its time.
  var startsShort = false
  /// The time that a line has waited for enough content.
  var wait = StartWait()
  /// Frames that have to lie ahead before a line that has waited goes on; 0 for as many as ever.
  private(set) var prerollFrames: Int64 = 0
  /// The number of the start whose content is to take the place of what there is; nil for none.
  private var expected: Int?

  /// True while what there is is not to begin, as other content is about to take its place, however late.
  var awaitsOther: Bool { expected != nil }

  /// The content of start `number` is being prepared.
  mutating func expect(_ number: Int) { expected = number }

  /// The content of start `number` is there.
  mutating func arrived(_ number: Int) {
    if let expected, number >= expected { self.expected = nil }
  }

  /// No other content will come.
  mutating func forgetExpected() { expected = nil }

  /// Frames that have to lie ahead, where `enough` are what the output wants.
  func frames(enough: Int64) -> Int64 {
    if prerollFrames > 0 { return prerollFrames }
    let waits = waitsForSufficientData && !startsShort && !wait.isOverdue
    return waits ? enough : 1
  }

  /// Nothing is started with before `frames` lie ahead.
  mutating func hold(for frames: Int64) { prerollFrames = frames }

  /// As many as ever are enough.
  ///
  /// - Returns: whether more were wanted.
  mutating func endHold() -> Bool {
    guard prerollFrames > 0 else { return false }
    prerollFrames = 0
    return true
  }
}
