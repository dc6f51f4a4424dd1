// SPDX-License-Identifier: Apache-2.0

extension QueueState {
  /// Gains in decibels of single playings of items, in place of the items' own.
  struct PlayingGains: Sendable {
    /// The gain of the current item's playing; nil for the item's own.
    private(set) var own: (occurrence: Occurrence, gain: Float)?
    /// The same of the item before the current one, whose end may overlap with that.
    private(set) var leaving: (occurrence: Occurrence, gain: Float)?

    /// The gain of `occurrence`; nil for the item's own.
    func gain(of occurrence: Occurrence) -> Float? {
      if let own, own.occurrence == occurrence { return own.gain }
      if let leaving, leaving.occurrence == occurrence { return leaving.gain }
      return nil
    }

    /// The playing of `current` is heard at `gain`.
    mutating func set(_ gain: Float, of current: Occurrence) { own = (current, gain) }

    /// `current` is the current item now, by a start or by playing on.
    mutating func follow(_ current: Occurrence?) {
      leaving = nil
      if let own, own.occurrence != current { self.own = nil }
    }

    /// `current` follows with an overlap, in which the item of `before` goes on.
    mutating func overlap(_ before: PlayingGains, into current: Occurrence) {
      leaving = before.own
      // It has turned round, and goes back into the one before.
      if let old = before.leaving, old.occurrence == current { own = old }
    }

    /// The item has a gain of its own, which all its playings have.
    mutating func forget(_ id: PlaylistItem.ID) {
      if own?.occurrence.id == id { own = nil }
      if leaving?.occurrence.id == id { leaving = nil }
    }
  }
}
