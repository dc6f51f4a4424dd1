// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import SoundFiles
import TestFixtures
import Testing

@testable import AttaccaNetwork

/// What servers do wrong, or refuse, and what is told of it.
@Suite("Servers that refuse, lie and break") struct BadServerTests {
  let server = RangeServer.shared
  private static let path = "formats/mp3-cbr.mp3"

  private func serve() throws -> String {
    let name = "bad.mp3"
    try server.put(Array(Data(contentsOf: URL(fileURLWithPath: Fixtures.path(Self.path)))), name)
    return name
  }

  private func error(_ mode: String, _ options: HTTPOptions = HTTPOptions()) async throws -> String
  {
    let name = try serve()
    let address = server.address(mode, name)
    let source = try #require(HTTPSource(address, options: options))
    do {
      let heard = try await Heard.of(source)
      let error = try #require(heard.error, "nothing is wrong")
      return "\(error)".replacing(address, with: "URL")
    } catch let error as SoundFileError {
      return "\(error)".replacing(address, with: "URL")
    }
  }

  private func isRight(_ mode: String, _ options: HTTPOptions = HTTPOptions()) async throws -> Bool
  {
    let name = try serve()
    let source = try #require(HTTPSource(server.address(mode, name), options: options))
    let heard = try await Heard.of(source)
    return firstDifference(heard.samples, try Fixtures.samples(Self.path)) == nil
      && heard.error == nil
  }

  @Test(arguments: [
    ("status=404", "URL: not there: the server answers 404 Because"),
    ("status=503", "URL: cannot be read: the server answers 503 Because"),
    ("loop", "URL: cannot be read: maximum (10) redirects followed"),
    (
      "gzip",
      "URL: not supported: the server sends it compressed (gzip), although that was not asked for"
    ),
    ("headers", "URL: broken: the server's answer has more than 256 kB of headers"),
    ("basic", "URL: cannot be read: the server answers 401 Unauthorized"),
    ("tofile", "URL: cannot be read: protocol \"file\" not supported or disabled in libcurl"),
    ("endless", "URL: not audio: the first bytes belong to no format known here"),
  ])
  func `a refusal names the address and the cause`(mode: String, text: String) async throws {
    #expect(try await error(mode) == text)
  }

  @Test func `a page that is no sound is called what the server calls it`() async throws {
    try server.put(Array("<html>".utf8) + [UInt8](repeating: 32, count: 5_000), "page.mp3")
    let source = try #require(HTTPSource(server.address("type", "page.mp3")))
    await #expect(throws: SoundFileError.self) { _ = try await source.open() }
    do { _ = try await source.open() } catch let error as SoundFileError {
      #expect(error.kind == .notAudio)
      #expect(error.cause.hasSuffix("the server says that it is text/html"))
    }
  }

  @Test func `a server that does not answer is given up in the time that is set`() async throws {
    var options = HTTPOptions()
    options.silenceLimit = 300
    let begin = ContinuousClock.now
    #expect(try await error("silent", options) == "URL: cannot be read: no answer for 0.3 s")
    #expect(ContinuousClock.now - begin < .seconds(10))
  }

  @Test func `nobody listens`() async throws {
    let source = try #require(HTTPSource("http://127.0.0.1:1/a.mp3"))
    do {
      _ = try await source.open()
      Issue.record("opened")
    } catch let error as SoundFileError {
      #expect(error.kind == .unreadable && error.code == 7, "\(error)")
      #expect(error.path == "http://127.0.0.1:1/a.mp3")
    }
  }

  @Test(arguments: ["longer", "longerranges"])
  func `of a file that is shorter than the server says all is heard and that is told`(
    mode: String
  ) async throws {
    let name = try serve()
    let source = try #require(HTTPSource(server.address(mode, name)))
    let heard = try await Heard.of(source)
    #expect(firstDifference(heard.samples, try Fixtures.samples(Self.path)) == nil)
    let error = try #require(heard.error)
    #expect(error.kind == .truncated)
    #expect(error.cause == "25076 of 125076 bytes, and the server has no more")
  }

  @Test func `a file that changes while it is loaded is not mixed with the other`() async throws {
    #expect(
      try await error("changed") == "URL: broken: it was changed on the server while it was loaded")
  }

  @Test func `redirects are followed`() async throws { #expect(try await isRight("redirect=5")) }

  @Test func `a name and a password in the address are sent and not told`() async throws {
    let address = server.address("basic", try serve()).replacing("//", with: "//user:secret@")
    let source = try #require(HTTPSource(address))
    #expect(!source.name.contains("secret"))
    let heard = try await Heard.of(source)
    #expect(firstDifference(heard.samples, try Fixtures.samples(Self.path)) == nil)
  }

  @Test func `proofs, cookies and fields of the caller are sent`() async throws {
    var options = HTTPOptions()
    options.authorization = .bearer("token")
    #expect(try await isRight("bearer", options))
    options.authorization = .basic(user: "user", password: "secret")
    #expect(try await isRight("basic", options))
    options = HTTPOptions()
    options.cookies = "a=b"
    options.headers = [HTTPOptions.Header("X-Own", "yes")]
    #expect(try await isRight("fields", options))
  }
}
