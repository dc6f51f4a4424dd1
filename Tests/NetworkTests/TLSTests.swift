// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import SoundFiles
import TestFixtures
import Testing

@testable import AttaccaNetwork

/// A server whose certificate is of an authority that no system knows.
@Suite("TLS", .serialized) struct TLSTests {
  private let server: LeashedServer

  init() throws { server = try LeashedServer("tls_server.py") }

  private static let path = "formats/flac16.flac"

  private func source(_ authority: String?) throws -> HTTPSource {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: Fixtures.path(Self.path)))
    try bytes.write(to: URL(fileURLWithPath: server.folder + "/a.flac"))
    var options = HTTPOptions()
    options.authorityFile = authority.map { server.folder + "/" + $0 }
    return try #require(
      HTTPSource("https://127.0.0.1:\(server.port)/a.flac", options: options))
  }

  @Test func `who has the authority's certificate hears the file`() async throws {
    let heard = try await Heard.of(try source("authority.pem"))
    #expect(firstDifference(heard.samples, try Fixtures.samples(Self.path)) == nil)
    #expect(heard.error == nil)
  }

  @Test(arguments: [nil, "other.pem"])
  func `a certificate that nobody vouches for is refused`(authority: String?) async throws {
    let source = try source(authority)
    await #expect {
      try await source.open()
    } throws: { error in
      guard let error = error as? SoundFileError else { return false }
      // CURLE_PEER_FAILED_VERIFICATION.
      return error.kind == .unreadable && error.code == 60 && error.call == "curl_easy_perform"
    }
  }
}
