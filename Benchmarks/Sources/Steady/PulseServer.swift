// SPDX-License-Identifier: Apache-2.0

import Answers
import Attacca
import Glibc

/// A PulseAudio of this process's own with a sink that plays into nothing; it ends with the process.
final class PulseServer {
  static let sink = "steady"
  private let folder: String
  private let shell: UnsafeMutablePointer<FILE>
  /// As for `PULSE_SERVER`.
  let address: String

  /// - Throws: where it cannot be started.
  init() throws {
    var template = Array("/tmp/attacca-steady-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw BenchFailure("mkdtemp: \(String(cString: strerror(errno)))")
    }
    folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    address = "unix:\(folder)/native"
    // It reads from a pipe that only this process writes to.
    let script = """
      cd \(folder) || exit 1
      export HOME=$PWD XDG_RUNTIME_DIR=$PWD PULSE_RUNTIME_PATH=$PWD/pulse
      echo load-module module-native-protocol-unix auth-anonymous=1 socket=$PWD/native >server.pa
      echo load-module module-null-sink sink_name=\(Self.sink) format=float32le rate=48000 >>server.pa
      pulseaudio -n -F server.pa --daemonize=no --exit-idle-time=-1 --use-pid-file=no >log 2>&1 &
      server=$!
      read -r _
      kill $server
      wait
      rm -rf \(folder)
      """
    guard let shell = popen(script, "we") else {
      throw BenchFailure("popen: \(String(cString: strerror(errno)))")
    }
    self.shell = shell
  }

  deinit { pclose(shell) }

  /// A renderer on the sink, once the server answers.
  ///
  /// - Throws: where it does not within ten seconds: it may have to be installed, the package is
  ///   `pulseaudio`.
  func makeRenderer() throws -> PulseAudioRenderer {
    try connected { try PulseAudioRenderer(device: Self.sink, server: address) }
  }

  /// A bus on the sink, of the latency that saves most power, once the server answers.
  ///
  /// - Throws: as `makeRenderer()`.
  func makeBus() throws -> PulseAudioBus {
    try connected {
      try PulseAudioBus(device: Self.sink, server: address, latency: .powerSaving)
    }
  }

  private func connected<Output>(_ connect: () throws -> Output) throws -> Output {
    let end = Effort.now() + 10_000_000_000
    while true {
      do {
        return try connect()
      } catch {
        guard Effort.now() < end else {
          throw BenchFailure("PulseAudio (apt-get install pulseaudio): \(error)")
        }
        usleep(10_000)
      }
    }
  }
}
