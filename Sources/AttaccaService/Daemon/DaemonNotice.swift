// SPDX-License-Identifier: Apache-2.0

/// A notice of a service for its log.
public struct DaemonNotice: Hashable, Sendable {
  /// Weight of a notice, by the numbers of syslog, which the journal takes too.
  public enum Level: Int, Hashable, Sendable {
    case error = 3
    case warning = 4
    case information = 6
  }

  /// Its weight.
  public let level: Level
  /// One line.
  public let text: String

  /// A notice.
  public init(_ level: Level, _ text: String) { (self.level, self.text) = (level, text) }
}
