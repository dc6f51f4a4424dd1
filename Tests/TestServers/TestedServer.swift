// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The kind of server that a suite runs on: PulseAudio, or PipeWire where `ATTACCA_SERVER=pipewire`.
public enum TestedServer {
  /// Whether it is PipeWire's.
  public static let isPipeWire = ProcessInfo.processInfo.environment["ATTACCA_SERVER"] == "pipewire"

  /// Whether sinks are null sinks that rewind, as hardware sinks do: where `ATTACCA_SINK=rewinding`.
  public static let rewinds = ProcessInfo.processInfo.environment["ATTACCA_SINK"] == "rewinding"

  /// The rates that a sink can have: PipeWire's run at their graph's rate.
  public static let sinkRates = isPipeWire ? [48_000] : [48_000, 44_100]

  /// Milliseconds by which two sinks' monitors may differ in what they are handed at one time.
  ///
  /// PipeWire's null sinks each have a cycle of their own, whose beginning is anywhere (25 ms apart).
  public static let cycle = isPipeWire ? 2_048 / 48.0 : 0

  /// Milliseconds by which what is heard may be off its usual place by the clock, beyond what is said
  /// of PulseAudio.
  ///
  /// PipeWire's reports are as coarse as its cycles, here of 43 ms: 9 ms in the first of ten starts, 11
  /// ms in 5 of 100 looks at the clock.
  public static let clockError = cycle / 3

  /// Milliseconds that the clock is ahead of what a recorder has got.
  ///
  /// PulseAudio's monitor hands a block on as it is rendered, when the first frame of it is heard: the last
  /// frame of a block is early by the sink's `block` in milliseconds. PipeWire's recorder gets a cycle when
  /// the next one begins.
  public static func clockLead(cycle: Double = cycle, block: Double) -> Double {
    cycle > 0 ? cycle : -block
  }

  /// One for the whole test process.
  public static var shared: PrivateServer {
    get throws { try isPipeWire ? PrivatePipeWireServer.shared : PrivatePulseServer.shared }
  }

  /// One of one's own.
  public static func make() throws -> PrivateServer {
    try isPipeWire ? PrivatePipeWireServer() : PrivatePulseServer()
  }
}
