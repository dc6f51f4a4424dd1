// SPDX-License-Identifier: Apache-2.0

extension QueueState {
  /// The wish to play or to pause, and how fast.
  struct Transport: Hashable, Sendable {
    /// The wish to play, true also while nothing is there to be played yet.
    var isPlaying = false
    /// Speed at which it is to play; negative backwards.
    var rate = 1.0
    /// Speed at which `play()` has it play.
    var defaultRate = 1.0
    /// Number of wishes to play or to pause so far.
    private(set) var requestNumber = 0

    /// A wish to play at `rate`, or at the default one; it is playing once there is something.
    mutating func requestRate(_ rate: Double?) {
      requestNumber += 1
      self.rate = rate ?? defaultRate
    }

    /// A wish to pause.
    mutating func pause() {
      requestNumber += 1
      isPlaying = false
    }

    /// The rate that someone has set on the clock is the wish, unless a later one than the request
    /// `number` has not been carried out.
    mutating func follow(_ rate: Double, afterRequest number: Int) {
      guard requestNumber == number else { return }
      isPlaying = rate != 0
      if rate != 0 { self.rate = rate }
    }
  }
}
