// SPDX-License-Identifier: Apache-2.0

import Attacca
import Glibc
import PulseAudio

/// A sound server of this process's own, without hardware.
final class HeadlessServer {
  enum Kind: String, CaseIterable {
    case pulseAudio = "PulseAudio"
    case pipeWire = "PipeWire"

    /// The programs that it needs, with the Debian packages that bring them.
    fileprivate var tools: [(command: String, package: String)] {
      switch self {
      case .pulseAudio: [("pulseaudio", "pulseaudio")]
      case .pipeWire:
        [
          ("dbus-run-session", "dbus-daemon"), ("pipewire", "pipewire"),
          ("wireplumber", "wireplumber"), ("pipewire-pulse", "pipewire-pulse"),
        ]
      }
    }

    /// The first package that is missing here.
    var missingPackage: String? {
      tools.first { !LeashedShell.isInstalled($0.command) }?.package
    }
  }

  /// The rate of its sinks: stereo and Float32, as nothing is to be converted.
  static let format = AudioFormat(sampleRate: 48_000, layout: .stereo)

  let kind: Kind
  /// As for `PULSE_SERVER`.
  let address: String
  /// Name that it has for itself.
  let description: String
  private let connection: PulseConnection
  private let folder: BenchFolder
  private let shell: LeashedShell

  /// Starts one and waits until it answers.
  ///
  /// - Throws: where it is not installed, or does not answer within 10 s.
  init(_ kind: Kind) throws {
    if let package = kind.missingPackage {
      throw BenchError(
        "\(kind.rawValue) is not installed, and its server is what is measured with: apt-get install \(package)"
      )
    }
    self.kind = kind
    folder = try BenchFolder()
    let socket = kind == .pulseAudio ? "native" : "pulse/native"
    address = "unix:\(folder.path)/\(socket)"
    shell = try LeashedShell(
      """
      pids=
      serve() { "$@" >>log 2>&1 </dev/null & pids="$pids $!"; }
      cd "$HOME" || exit 1
      \(kind == .pulseAudio ? Self.pulseScript : Self.pipeWireScript)
      read -r _
      kill $pids
      wait
      """,
      session: kind == .pulseAudio ? [] : ["dbus-run-session", "--"],
      environment: [
        "PATH": LeashedShell.searchPath, "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path,
        "PIPEWIRE_RUNTIME_DIR": folder.path, "PULSE_RUNTIME_PATH": folder.path + "/pulse",
        "LC_ALL": "C",
      ])
    connection = try Self.connect(address)
    let server = try connection.serverDescription()
    description = "\(server.name) \(server.version)"
  }

  private static let pulseScript = """
    echo load-module module-native-protocol-unix auth-anonymous=1 socket=$HOME/native >server.pa
    serve pulseaudio -n -F server.pa --daemonize=no --exit-idle-time=-1 --use-pid-file=no
    """

  private static let pipeWireScript = """
    serve pipewire
    until [ -S pipewire-0 ]; do sleep 0.01; done
    serve wireplumber
    serve pipewire-pulse
    """

  private static func connect(_ address: String) throws -> PulseConnection {
    let end = HostTime.now() + 10_000_000_000
    while true {
      do throws(PulseError) {
        return try PulseConnection(server: address, applicationName: "attacca bench")
      } catch {
        // It takes a while until the socket is there, and PipeWire a little more to answer.
        guard HostTime.now() < end else {
          throw BenchError("10 s after its start the server does not answer: \(error)")
        }
        usleep(10_000)
      }
    }
  }

  /// Another connection.
  func connect() throws(PulseError) -> PulseConnection {
    try PulseConnection(server: address, applicationName: "attacca bench")
  }

  /// Makes a sink that plays into nothing in real time, and waits until it is there.
  ///
  /// `rewinds` is whether it takes back what it has rendered; PipeWire's never do.
  func makeSink(_ name: String, rewinds: Bool = false) throws {
    var arguments = "sink_name=\(name) format=float32le rate=\(Self.format.sampleRate) channels=2"
    if kind == .pulseAudio && !rewinds { arguments += " norewinds=1" }
    try connection.loadModule("module-null-sink", arguments: arguments)
    let end = HostTime.now() + 10_000_000_000
    while true {
      do throws(PulseError) {
        _ = try connection.sink(named: name)
        return
      } catch {
        // PipeWire answers before the sink is there.
        guard HostTime.now() < end else { throw error }
        usleep(10_000)
      }
    }
  }
}
