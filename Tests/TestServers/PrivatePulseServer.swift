// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A real PulseAudio, headless, in a folder of its own.
public final class PrivatePulseServer: PrivateServer, @unchecked Sendable {
  private static let sharing = Result {
    let server = try PrivatePulseServer()
    try server.makeDefaultNobodys()
    return server
  }

  /// One for the whole test process.
  public static var shared: PrivatePulseServer { get throws { try sharing.get() } }

  private static let skewedClock = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("SkewedClock/skewed_clock.c").path

  /// Starts one and waits until it answers.
  ///
  /// - Parameter partsPerMillion: How much its clock runs faster than this process's.
  /// - Throws: Where it cannot be started, with the name of the package that is missing.
  public init(partsPerMillion: Int = 0) throws {
    // Compiled here, by what Swift links with: a dynamic product of the package would be everyone's, and
    // in a sanitizer's build the server would need the sanitizer.
    let preload =
      partsPerMillion == 0
      ? ""
      : """
      clang -shared -fPIC -O2 -o skewed_clock.so '\(Self.skewedClock)' >>log 2>&1
      prefix="env LD_PRELOAD=$PWD/skewed_clock.so CLOCK_PPM=\(partsPerMillion)"
      """
    // Its debug log says by how much sinks go back: `rewoundBytes`.
    let processes = try ServerProcess(
      script: """
        prefix=
        \(preload)
        rm -f native messages
        native="load-module module-native-protocol-unix auth-anonymous=1"
        echo $native srbchannel=0 socket=$PWD/messages >server.pa
        echo $native socket=$PWD/native >>server.pa
        serve $prefix pulseaudio -n -F server.pa --daemonize=no --exit-idle-time=-1 --use-pid-file=no --log-level=debug
        """,
      tools: [("pulseaudio", "pulseaudio"), ("pactl", "pulseaudio-utils")]
        + (partsPerMillion == 0 ? [] : [("clang", "clang")]))
    try super.init(processes: processes, socket: "native", messageSocket: "messages")
  }
}
