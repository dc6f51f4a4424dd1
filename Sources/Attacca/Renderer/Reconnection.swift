// SPDX-License-Identifier: Apache-2.0

/// When a stream is to be opened: after the device is lost, and when another one is wanted.
///
/// A pure state machine: it knows no server, clock or thread. Whoever drives it carries out the
/// action that each call returns. Attempts carry a generation: what an attempt brings that has been
/// overtaken is thrown away.
struct Reconnection {
  /// What there is to play on, and what is done about it.
  enum State: Hashable {
    /// A stream plays.
    case connected
    /// A stream plays, and one on another device is being opened.
    case switching
    /// There is no stream; the next attempt comes after a wait.
    case waiting(attempt: Int)
    /// There is no stream; one is being opened.
    case connecting(attempt: Int)
    /// Nothing is to be opened any more.
    case closed
  }

  /// What to do next.
  enum Action: Hashable {
    case none
    /// Come back with `elapsed(generation)` after so many nanoseconds.
    case wait(nanoseconds: UInt64, generation: Int)
    /// Open a stream; then `opened(generation)` or `refused(generation)`.
    case open(generation: Int)
    /// The stream that was opened is the one to play on.
    case use
    /// The stream that was opened is not wanted any more.
    case discard
    /// The device that was asked for cannot be played on; the present one goes on.
    case stay
  }

  /// A killed server's socket refuses at once, and one that is restarted by its supervisor is there
  /// after 0.1 to 1 s.
  static let shortestWait: UInt64 = 50_000_000
  /// An attempt costs a few system calls, and a device that appears is to be heard soon.
  static let longestWait: UInt64 = 2_000_000_000

  private(set) var state: State
  /// Counts the attempts and waits; an older one has no say.
  private(set) var generation = 0

  /// Begins with a stream that plays, or waiting for one.
  init(isConnected: Bool) { state = isConnected ? .connected : .waiting(attempt: 0) }

  /// Whether there is no stream.
  var isDown: Bool {
    switch state {
    case .connected, .switching: false
    case .waiting, .connecting, .closed: true
    }
  }

  /// 50 ms after the loss, twice as long after each failure, 2 s at most.
  static func wait(before attempt: Int) -> UInt64 {
    min(longestWait, shortestWait << UInt64(min(max(attempt, 0), 16)))
  }

  /// The stream is gone.
  mutating func lost() -> Action {
    switch state {
    case .connected: return wait(0)
    case .switching:
      // What is being opened may still come.
      state = .connecting(attempt: 0)
      return .none
    case .waiting, .connecting, .closed: return .none
    }
  }

  /// Another device is wanted, or one may have appeared.
  mutating func wanted() -> Action {
    switch state {
    case .connected, .switching: state = .switching
    case .waiting(let attempt), .connecting(let attempt): state = .connecting(attempt: attempt)
    case .closed: return .none
    }
    return open()
  }

  /// A wait is over.
  mutating func elapsed(_ generation: Int) -> Action {
    guard generation == self.generation, case .waiting(let attempt) = state else { return .none }
    state = .connecting(attempt: attempt)
    return open()
  }

  /// An attempt brought a stream.
  mutating func opened(_ generation: Int) -> Action {
    guard generation == self.generation else { return .discard }
    switch state {
    case .switching, .connecting:
      state = .connected
      return .use
    case .connected, .waiting, .closed: return .discard
    }
  }

  /// An attempt brought none.
  mutating func refused(_ generation: Int) -> Action {
    guard generation == self.generation else { return .none }
    switch state {
    case .switching:
      state = .connected
      return .stay
    case .connecting(let attempt): return wait(attempt + 1)
    case .connected, .waiting, .closed: return .none
    }
  }

  /// Nothing is to be opened any more.
  mutating func close() {
    state = .closed
    generation += 1
  }

  private mutating func wait(_ attempt: Int) -> Action {
    state = .waiting(attempt: attempt)
    generation += 1
    return .wait(nanoseconds: Self.wait(before: attempt), generation: generation)
  }

  private mutating func open() -> Action {
    generation += 1
    return .open(generation: generation)
  }
}
