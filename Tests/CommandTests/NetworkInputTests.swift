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

  @Test func `what proves who the caller is goes to the servers that were named, and to no other`()
    throws
  {
    _ = try serve("cut/01.flac", as: "own.flac")
    let basic = server.address("basic", "own.flac")
    let bearer = server.address("bearer", "own.flac")
    #expect(try Attacca("probe", "--user", "user:secret", basic).status == 0)
    #expect(try Attacca("probe", "--token", "token", bearer).status == 0)
    let fields = server.address("fields", "own.flac")
    #expect(try Attacca("probe", "--cookie", "a=b", "--header", "X-Own: yes", fields).status == 0)
    #expect(try Attacca("probe", "--user", "user:other", basic).errors.contains("401"))

    // The same machine by another name is another server.
    let other = basic.replacing("127.0.0.1", with: "localhost")
    try server.put(Array("#EXTM3U\n\(basic)\n\(other)\n".utf8), "own.m3u")
    let run = try Attacca("probe", "--user", "user:secret", server.address("ranges", "own.m3u"))
    #expect(run.output.hasPrefix(basic + "\n") && !run.output.contains("localhost"))
    #expect(run.errors.contains("localhost") && run.errors.contains("401"), "\(run.errors)")

    // A name and a password in a list's address are for its entries there, too.
    let list = server.address("ranges", "own.m3u")
      .replacing("http://", with: "http://user:secret@")
    let named = try Attacca("probe", list)
    #expect(named.output.hasPrefix(basic + "\n") && !named.output.contains("localhost"))
    #expect(!named.output.contains("secret") && !named.errors.contains("secret"))
  }

  @Test func `a server that is silent is waited for as long as is said`() throws {
    let limits = ["--connect-limit", "5s", "--silence-limit", "1s", "--retry-limit", "1s"]
    let run = try Attacca(["probe"] + limits + [server.address("silent", "own.flac")])
    #expect(run.errors.contains("no answer for 1 s"), "\(run.errors)")
    let wrong = try Attacca("probe", "--retry-limit", "soon", "x.flac")
    #expect(
      wrong.errors.contains(
        "--retry-limit is a time as in 5s, 2m or 1h, a day at most, not 'soon'"))
    #expect(
      try Attacca("probe", "--user", "a:b", "--token", "c", "x.flac").errors
        .contains("--user and --token are two proofs of one caller"))
    #expect(
      try Attacca("probe", "--header", "X-Own", "x.flac").errors
        .contains("--header is a name and a value"))
  }

  @Test func `probe keeps what it loads where it is told to`() throws {
    let folder = try TemporaryFolder()
    try server.put(
      Array(Data(contentsOf: URL(fileURLWithPath: Fixtures.path("cut/01.flac")))), "probed.flac")
    let address = server.address("kept", "probed.flac")
    for _ in 0..<2 {
      let run = try Attacca(
        ["probe", "--cache", address], environment: ["XDG_CACHE_HOME": folder.path])
      #expect(run.status == 0, "\(run.errors)")
    }
    #expect(try server.answers("kept", "probed.flac").contains("304 0"))
  }

  @Test func `probe tells all of a stream of segments, whose parts do not go on from each other`()
    throws
  {
    let made = try Attacca(
      script: """
        cd '\(server.folder)' && for rate in 44100 48000; do
          ffmpeg -v error -y -i '\(Fixtures.path("cut/01.flac"))' -ar $rate -c:a aac probe$rate.aac || exit
        done
        """)
    #expect(made.status == 0, "\(made.errors)")
    let lines = [
      "#EXTM3U", "#EXT-X-TARGETDURATION:9", "#EXT-X-PLAYLIST-TYPE:VOD", "#EXTINF:1.0,",
      "probe44100.aac", "#EXT-X-DISCONTINUITY", "#EXTINF:1.5,", "probe44100.aac",
    ]
    func probe(_ lines: [String], _ name: String) throws -> Attacca {
      try server.put(Array((lines + ["#EXT-X-ENDLIST", ""]).joined(separator: "\n").utf8), name)
      return try Attacca("probe", "--json", server.address("ranges", name))
    }
    func value(_ run: Attacca) throws -> [String: Any] {
      let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
      return try #require((json as? [[String: Any]])?.first, "\(run.errors)")
    }
    let alone = try value(try Attacca("probe", "--json", server.folder + "/probe44100.aac"))
    let frames = try #require(alone["frames"] as? Int)
    let twice = try value(try probe(lines, "probe.m3u8"))
    #expect(twice["frames"] as? Int == 2 * frames)
    #expect(twice["lengthSource"] as? String == "packets" && twice["gapless"] as? Bool == false)
    let hls = try #require(twice["hls"] as? [String: Any])
    #expect(hls["live"] as? Bool == false && hls["segments"] as? Int == 2)
    #expect(hls["seconds"] as? Double == 2.5 && hls["encrypted"] as? Bool == false)
    // Of two rates there is no number of frames.
    let rates = lines.dropLast() + ["probe48000.aac"]
    let other = try value(try probe(Array(rates), "probe-rates.m3u8"))
    #expect(other["frames"] is NSNull)
    let seconds = try #require(other["seconds"] as? Double)
    #expect(seconds > 1.9 * Double(frames) / 44_100)
    let text = try Attacca("probe", server.address("ranges", "probe.m3u8")).output
    #expect(text.contains("  segments      HLS, 2 of 2.5 s\n"), "\(text)")
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
