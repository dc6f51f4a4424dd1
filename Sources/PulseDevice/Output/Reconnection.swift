// SPDX-License-Identifier: Apache-2.0

import PulseAudio

/// The opening of streams: after the device is lost, and when another one is wanted.
///
/// A pure state machine: it knows no server, clock or thread. Whoever drives it carries out the
/// action that each call returns. Attempts carry a generation: what an attempt brings that has been
/// overtaken is thrown away.
struct Reconnection: Hashable {
  /// The stream that there is to play on, and the attempts to open one.
  enum State: Hashable {
    /// A stream plays.
    case connected
    /// A stream plays, and one on another device is being opened.
    case switching
    /// There is no stream any more, and the one on another device is still being opened.
    case stranded
    /// There is no stream; the next attempt comes after a wait.
    case waiting(attempt: Int)
    /// There is no stream; one is being opened.
    case connecting(attempt: Int)
    /// The server refuses for good.
    case failed
    /// Nothing is to be opened any more.
    case closed
  }

  /// The next action.
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
    /// Tell that there will be no stream any more.
    case fail
  }

  /// An attempt's failure, by what waiting can do about it.
  enum Refusal: Hashable, CaseIterable {
    case temporary, permanent

    /// The class of a refusal for `reason`.
    ///
    /// A server that does not answer, is gone or ends a stream may be restarted, and a sink that is
    /// not there may be plugged in: a server without any sink is a wait. Another cookie, another
    /// version of the protocol and a format that is not taken stay as they are.
    init(_ reason: PulseError.Reason) {
      self =
        switch reason {
        case .accessDenied, .invalidAddress, .incompatible, .unsupported: .permanent
        case .serverMissing, .serverGone, .notThere, .ended, .unresponsive, .other: .temporary
        }
    }
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

  /// True where what is being opened is for another device than the one that plays, or did.
  var isSwitching: Bool { state == .switching || state == .stranded }

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
      state = .stranded
      return .none
    case .stranded, .waiting, .connecting, .failed, .closed: return .none
    }
  }

  /// Another device is wanted, or one may have appeared.
  mutating func wanted() -> Action {
    switch state {
    case .connected, .switching: state = .switching
    case .stranded: state = .connecting(attempt: 0)
    case .waiting(let attempt), .connecting(let attempt): state = .connecting(attempt: attempt)
    case .failed, .closed: return .none
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
    case .switching, .stranded, .connecting:
      state = .connected
      return .use
    case .connected, .waiting, .failed, .closed: return .discard
    }
  }

  /// An attempt brought none.
  mutating func refused(_ generation: Int, _ refusal: Refusal) -> Action {
    guard generation == self.generation else { return .none }
    switch state {
    case .switching:
      state = .connected
      return .stay
    // That was another device's word, on a connection that is gone.
    case .stranded: return wait(0)
    case .connecting(let attempt):
      guard refusal == .permanent else { return wait(attempt + 1) }
      state = .failed
      self.generation += 1
      return .fail
    case .connected, .waiting, .failed, .closed: return .none
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
