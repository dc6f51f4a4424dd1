// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

struct ProbeTests {
  @Test func `probe tells format, exact length and tags`() throws {
    let run = try Attacca(
      "probe", "fixtures/album/02 flac24.flac", "fixtures/formats/wav-5.1-side.wav")
    #expect(
      run.output == """
        fixtures/album/02 flac24.flac
          format        FLAC, 24 bit, 44100 Hz, 2 channels
          length        75116 frames, 0:00:01.703, by its last block
          stream        682 kbit/s, gapless
          title         Déjà entendu
          artist        The Attacca Fixtures
          album         Without a Pause
          track         2
        fixtures/formats/wav-5.1-side.wav
          format        WAV, 16 bit, 48000 Hz, 6 channels
          length        9601 frames, 0:00:00.200, by its header
          stream        4611 kbit/s, gapless

        """)
    #expect(run.errors.isEmpty)
    #expect(run.status == 0)
  }

  @Test func `a file that is cut short is told with what is there, and ends with 3`() throws {
    let run = try Attacca("probe", "fixtures/broken/truncated.wav")
    #expect(
      run.output == """
        fixtures/broken/truncated.wav
          format        WAV, 16 bit, 44100 Hz, 2 channels
          length        7001 frames, 0:00:00.159, counted
          stream        1414 kbit/s, gapless
          cut short     7001 of 15000 frames

        """)
    #expect(run.status == 3)
  }

  @Test func `verifying tells a checksum that is right, wrong or not there, and wrong is 3`()
    throws
  {
    let good = "fixtures/formats/flac16.flac"
    var bytes = try Data(contentsOf: Attacca.folder.appending(path: good))
    bytes[30] ^= 1
    let wrong = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).flac")
    try bytes.write(to: wrong)
    defer { try? FileManager.default.removeItem(at: wrong) }
    let run = try Attacca("probe", "--verify", good, wrong.path, "fixtures/formats/wav16.wav")
    let sums = run.output.split(separator: "\n").filter { $0.hasPrefix("  checksum") }
    #expect(sums == ["  checksum      right", "  checksum      wrong", "  checksum      none"])
    #expect(run.status == 3)
    #expect(try Attacca("probe", "--verify", good).status == 0)
    let json = try Attacca("probe", "--verify", "--json", good).output
    #expect(json.contains("\"checksum\": \"right\""), "\(json)")
  }

  @Test func `parts of different rates have a length and no frames`() throws {
    let run = try Attacca("probe", "fixtures/formats/vorbis-chained-rates.ogg")
    // 44,101 frames at 44,100 Hz and 48,003 at 48,000 Hz are 2.000085 s.
    #expect(run.output.contains("length        0:00:02.000\n"))
    #expect(run.status == 0)
  }

  @Test func `files that are no audio are named with the cause`() throws {
    let run = try Attacca("probe", "fixtures/broken/text.mp3", "fixtures/nowhere.flac")
    #expect(run.output.isEmpty)
    let lines = run.errors.split(separator: "\n")
    try #require(lines.count == 2)
    #expect(lines[0].hasPrefix("fixtures/broken/text.mp3: not audio: "))
    #expect(lines[1].hasPrefix("fixtures/nowhere.flac: not there: "))
    #expect(run.status == 2)
  }

  @Test func `JSON has the same, errors included`() throws {
    let run = try Attacca(
      "probe", "--json", "fixtures/album/07 vorbis.ogg", "fixtures/nowhere.flac")
    #expect(run.status == 3)
    let json = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    let files = try #require(json as? [[String: Any]])
    try #require(files.count == 2)
    #expect(files[0]["file"] as? String == "fixtures/album/07 vorbis.ogg")
    #expect(files[0]["container"] as? String == "Ogg")
    #expect(files[0]["encoding"] as? String == "Vorbis")
    #expect(files[0]["sampleRate"] as? Int == 44_100)
    #expect(files[0]["layout"] as? [String] == ["frontLeft", "frontRight"])
    #expect(files[0]["frames"] as? Int == 145_530)
    #expect(files[0]["seconds"] as? Double == 3.3)
    #expect((files[0]["tags"] as? [String: String])?["title"] == "Größe")
    #expect(files[0]["lengthSource"] as? String == "lastPage")
    #expect(files[0]["gapless"] as? Bool == true && files[0]["profile"] is NSNull)
    #expect(files[0]["truncation"] is NSNull)
    #expect((files[1]["error"] as? String)?.contains("not there") == true)
  }
}
