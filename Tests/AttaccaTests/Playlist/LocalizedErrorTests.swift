// SPDX-License-Identifier: Apache-2.0

import AttaccaFoundation
import Foundation
import Testing

@Suite struct LocalizedErrorTests {
  @Test func `errors say the same through Foundation`() {
    let file = SoundFileError(
      .missing, path: "a.flac", call: "open", code: 2, cause: "No such file or directory")
    let server = PulseError(code: 1, call: "pa_context_connect", subject: "server ‘tcp:a’")
    let errors: [any Error] = [file, server]
    #expect(errors.map(\.localizedDescription) == errors.map { "\($0)" })
    #expect(file.localizedDescription == "a.flac: not there: No such file or directory")
    #expect(
      server.localizedDescription
        == "server ‘tcp:a’: access denied; the server wants this user's cookie: see PULSE_COOKIE")
  }
}
