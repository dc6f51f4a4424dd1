// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One of the few playbacks that run at the same time, for as long as it is held.
///
/// More of them would measure how busy the machine is, and a PulseAudio server takes 64 clients.
final class Seat: @unchecked Sendable {
  // @unchecked: `free` is touched under `condition` only, `leaving` is set by the thread that took the
  // seat, before anyone else has it.
  private static let condition = NSCondition()
  /// How many there are.
  static let all = 3
  nonisolated(unsafe) private static var free = all
  /// Waits until the machine is busy on less than half a core, 20 s at most, and once.
  ///
  /// All tests begin at once and make their files before they take a seat, in as many processes as run at a time: for
  /// ten seconds the machine is as busy as it can be.
  private static let calm: Void = {
    for _ in 0..<40 {
      let before = busyTicks()
      Thread.sleep(forTimeInterval: 0.5)
      if busyTicks() - before < sysconf(Int32(_SC_CLK_TCK)) / 4 { return }
    }
  }()

  /// Clock ticks for which a core was busy since the machine started: user, nice and system time in `/proc/stat`.
  private static func busyTicks() -> Int {
    let lines = try? String(contentsOfFile: "/proc/stat", encoding: .utf8)
    return lines?.prefix { $0 != "\n" }.split(separator: " ").dropFirst().prefix(3)
      .compactMap { Int($0) }.reduce(0, +) ?? 0
  }

  private let count: Int
  private var leaving: (@Sendable () -> Void)?

  /// Waits until one is free; or several at once, which is late: nobody waits for who needs many.
  init(taking count: Int = 1) {
    self.count = count
    _ = Self.calm
    Self.condition.withLock {
      while Self.free < count { Self.condition.wait() }
      Self.free -= count
    }
  }

  /// What to do at the end.
  func leave(_ leaving: @escaping @Sendable () -> Void) { self.leaving = leaving }

  deinit {
    leaving?()
    Self.condition.withLock {
      Self.free += count
      Self.condition.broadcast()
    }
  }
}
