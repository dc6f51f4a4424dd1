// SPDX-License-Identifier: Apache-2.0

import Foundation
import PulseAudio
import Testing

@testable import AttaccaCLI

@Suite struct ErrorTextTests {
  @Test func `a wrong address of the server is named with where it comes from`() throws {
    for command in [["devices"], ["play", "--output", "pulse", "fixtures/cut/05.flac"]] {
      let run = try Attacca(command, environment: ["PULSE_SERVER": "unix:/nowhere/at/all"])
      #expect(
        run.errors.hasPrefix(
          "attacca: server ‘unix:/nowhere/at/all’ of PULSE_SERVER: no sound server answers there"),
        "\(run.errors)")
      #expect(run.status == 1)
    }
  }

  @Test func `the address that is tried without any setting is named`() throws {
    let folder = try TemporaryFolder()
    let run = try Attacca(
      ["devices"],
      environment: [
        "PULSE_SERVER": "", "XDG_RUNTIME_DIR": folder.path, "HOME": folder.path,
        "PULSE_RUNTIME_PATH": folder.file("pulse"), "PULSE_CLIENTCONFIG": "/dev/null",
      ])
    #expect(run.errors.contains("server ‘\(folder.file("pulse"))/native’"), "\(run.errors)")
  }

  @Test func `the address of a configuration file is named`() throws {
    let folder = try TemporaryFolder()
    try "default-server = unix:/configured/so\n".write(
      toFile: folder.file("client.conf"), atomically: true, encoding: .utf8)
    let run = try Attacca(
      ["devices"],
      environment: ["PULSE_SERVER": "", "PULSE_CLIENTCONFIG": folder.file("client.conf")])
    #expect(run.errors.contains("/configured/so"), "\(run.errors)")
  }

  @Test func `a device that is not there names the command that lists them`() {
    let error = PulseError(code: 5, call: "pa_x", subject: "sink ‘nosuch’")
    #expect(
      ErrorText.of(error) == "sink ‘nosuch’: not there; `attacca devices` lists what there is")
  }

  @Test func `functions and codes are told with verbose alone`() throws {
    let cases = [
      (["probe", "fixtures/nowhere.flac"], "(open, code 2)"),
      (["probe", "fixtures/broken/text.mp3"], "(Signature)"),
      (["devices"], "(pa_context_connect, code 6)"),
    ]
    for (arguments, place) in cases {
      let (plain, verbose) = (try Attacca(arguments), try Attacca(arguments + ["--verbose"]))
      #expect(!plain.errors.contains(place), "\(plain.errors)")
      #expect(verbose.errors.hasSuffix(" \(place)\n"), "\(verbose.errors)")
      #expect(
        verbose.errors.replacing(" \(place)", with: "") == plain.errors, "\(verbose.errors)")
    }
  }
}
