// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestFixtures
import Testing

/// Addresses as inputs.
@Suite struct NetworkInputTests {
  private let server = RangeServer.shared

  private func serve(_ path: String, as name: String) throws -> String {
    try server.put(Array(Data(contentsOf: URL(fileURLWithPath: Fixtures.path(path)))), name)
    return server.address("ranges", name)
  }

  @Test func `what is rendered of addresses is what is of the files`() throws {
    let folder = try TemporaryFolder()
    let (flac, ogg) = ("cut/01.flac", "album/07 vorbis.ogg")
    let addresses = [try serve(flac, as: "command.flac"), try serve(ogg, as: "command.ogg")]
    let run = try Attacca(["render", "-o", folder.file("network.wav")] + addresses)
    #expect(run.status == 0, "\(run.errors)")
    let local = try Attacca(
      "render", "-o", folder.file("files.wav"), Fixtures.path(flac), Fixtures.path(ogg))
    #expect(local.status == 0)
    #expect(
      FileManager.default.contentsEqual(
        atPath: folder.file("network.wav"), andPath: folder.file("files.wav")))
  }

  @Test func `a list at an address names addresses, and no file of this machine`() throws {
    let address = try serve("cut/01.flac", as: "listed.flac")
    try server.put(
      Array("#EXTM3U\nlisted.flac\nfile:///etc/passwd\nself.m3u\n".utf8), "self.m3u")
    let run = try Attacca("probe", server.address("ranges", "self.m3u"))
    #expect(run.output.hasPrefix(address + "\n"))
    #expect(
      run.errors.contains(
        "file:///etc/passwd: not supported: a list from a network names nothing but addresses"))
    #expect(run.errors.contains("a list that names itself"))
    #expect(run.status == 3)
  }

  @Test func `PLS and XSPF are lists`() throws {
    let address = try serve("cut/01.flac", as: "listed.flac")
    try server.put(
      Array("[playlist]\nFile2=listed.flac\nFile1=\(address)\nNumberOfEntries=2\n".utf8), "a.pls")
    try server.put(
      Array(
        """
        <?xml version="1.0"?><playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList>
        <track><title>x</title><location>listed.flac?a=1&amp;b=2</location></track></trackList></playlist>
        """.utf8), "a.xspf")
    let pls = try Attacca("probe", server.address("ranges", "a.pls"))
    #expect(
      pls.output.split(separator: "\n").filter { $0.hasPrefix("http") } == [
        address[...], address[...],
      ])
    let xspf = try Attacca("probe", server.address("ranges", "a.xspf"))
    #expect(xspf.errors.contains("listed.flac?a=1&b=2: not there: the server answers 404"))
  }

  @Test func `a proxy of the environment is asked`() throws {
    _ = try serve("cut/01.flac", as: "proxied.flac")
    let proxy = "http://127.0.0.1:\(server.port)"
    let address = "http://attacca.invalid/ranges/proxied.flac"
    let run = try Attacca(script: "http_proxy=\(proxy) \"$attacca\" probe \(address)")
    #expect(run.status == 0 && run.output.hasPrefix(address + "\n"), "\(run.errors)")
    let without = try Attacca(
      script: "http_proxy=\(proxy) no_proxy=attacca.invalid \"$attacca\" probe \(address)")
    #expect(without.status != 0)
  }

  @Test func `what the helper decodes is rendered of an address as of the file`() throws {
    let folder = try TemporaryFolder()
    let local = folder.file("a.m4a")
    let made = try Attacca(
      script: "ffmpeg -v error -y -i '\(Fixtures.path("cut/01.flac"))' -c:a alac '\(local)'")
    #expect(made.status == 0, "\(made.errors)")
    try server.put(Array(Data(contentsOf: URL(fileURLWithPath: local))), "command.m4a")
    let address = server.address("none", "command.m4a")
    let run = try Attacca("render", "-o", folder.file("network.wav"), address)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try Attacca("render", "-o", folder.file("file.wav"), local).status == 0)
    #expect(
      FileManager.default.contentsEqual(
        atPath: folder.file("network.wav"), andPath: folder.file("file.wav")))
    let broken = try Attacca(
      script: "ATTACCA_DECODE=/bin/true \"$attacca\" probe \(address)")
    #expect(
      broken.errors.contains("attacca-decode ended while it decoded it"), "\(broken.errors)")
  }

  @Test func `who plays files loads nothing for a network`() throws {
    let run = try Attacca(script: "ldd \"$attacca\"")
    #expect(run.output.contains("libpulse.so") && !run.output.contains("curl"), "\(run.output)")
  }
}
