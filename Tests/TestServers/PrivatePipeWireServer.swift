// SPDX-License-Identifier: Apache-2.0

/// A real PipeWire with its PulseAudio server, headless, in a folder of its own.
public final class PrivatePipeWireServer: PrivateServer, @unchecked Sendable {
  // Of PipeWire's line on a client that is late for a cycle, of level 3, behind its name and number.
  private static let lateness = "client too slow!"

  // With the cycles of 256 frames that recorders ask for, it missed some beside other tests.
  private static let sharing = Result {
    let server = try PrivatePipeWireServer(quantum: 2_048)
    try server.makeDefaultNobodys()
    return server
  }

  /// One for the whole test process.
  public static var shared: PrivatePipeWireServer { get throws { try sharing.get() } }

  /// Starts one and waits until it answers.
  ///
  /// - Parameter quantum: Frames of one cycle, a power of 2; nil for what streams ask for.
  /// - Throws: Where it cannot be started, with the name of the package that is missing.
  public init(quantum: Int? = nil) throws {
    let limits = quantum.map { frames in
      ["clock.min-quantum", "clock.quantum"].map { key in
        "pw-metadata -n settings 0 \(key) \(frames) >>log 2>&1"
      }.joined(separator: "\n")
    }
    let processes = try ServerProcess(
      script: """
        rm -f pipewire-0 pulse/native
        serve env PIPEWIRE_DEBUG=2,pw.node:3 pipewire
        until [ -S pipewire-0 ]; do sleep 0.01; done
        \(limits ?? "")
        serve wireplumber
        serve pipewire-pulse
        """,
      tools: [
        ("dbus-run-session", "dbus-daemon"), ("pipewire", "pipewire"),
        ("wireplumber", "wireplumber"), ("pipewire-pulse", "pipewire-pulse"),
        ("pactl", "pulseaudio-utils"), ("pw-metadata", "pipewire-bin"),
      ],
      session: ["dbus-run-session", "--"])
    try super.init(processes: processes, socket: "pulse/native", messageSocket: "pulse/native")
  }

  override public func missedCycles(of sink: String) -> Int {
    // Others on this server are late for cycles of their own sinks.
    let names = ["attacca tests \(sink)", MonitorCapture.name(on: sink), sink]
    return lines.count { line in
      line.contains(Self.lateness) && names.contains { line.contains("(\($0)-") }
    }
  }

  /// PipeWire's null sinks never rewind and know no such argument.
  override func moduleArguments(rewinds: Bool) -> [String] { [] }
}
