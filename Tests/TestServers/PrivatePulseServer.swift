// SPDX-License-Identifier: Apache-2.0

/// A real PulseAudio, headless, in a folder of its own.
public final class PrivatePulseServer: PrivateServer, @unchecked Sendable {
  /// Its default sink is nobody's: the server moves the streams of a sink that goes to the default
  /// one, where what was left of one test was mixed into another's recording, 153 frames of it.
  private static let sharing = Result {
    let server = try PrivatePulseServer()
    try server.control(["load-module", "module-null-sink", "sink_name=nobody"])
    try server.control(["set-default-sink", "nobody"])
    return server
  }

  /// One for the whole test process.
  public static var shared: PrivatePulseServer { get throws { try sharing.get() } }

  /// Starts one and waits until it answers.
  ///
  /// - Throws: Where it cannot be started, with the name of the package that is missing.
  public init() throws {
    let processes = try ServerProcess(
      script: """
        rm -f native
        echo load-module module-native-protocol-unix auth-anonymous=1 socket=$PWD/native >server.pa
        serve pulseaudio -n -F server.pa --daemonize=no --exit-idle-time=-1 --use-pid-file=no
        """,
      tools: [("pulseaudio", "pulseaudio"), ("pactl", "pulseaudio-utils")])
    try super.init(processes: processes, socket: "native")
  }
}
