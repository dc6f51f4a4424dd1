// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Commands on files that the process attacca-decode decodes, and where it cannot.
struct HelperCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let run = try Attacca(
      script: """
        for kind in m4a aac; do
          ffmpeg -v error -i 'fixtures/formats/flac16.flac' -c:a aac '\(folder.file("a"))'.$kind
        done
        """)
    try #require(run.status == 0, "127 means: apt-get install ffmpeg; \(run.errors)")
  }

  @Test func `probe tells the code, how the length is known, and whether the ends are told`() throws
  {
    let run = try Attacca("probe", folder.file("a.m4a"), folder.file("a.aac"))
    #expect(run.errors.isEmpty && run.status == 0)
    let lines = run.output.split(separator: "\n")
    #expect(lines.contains("  format        MPEG-4, AAC, 44100 Hz, 2 channels"))
    #expect(lines.contains("  length        60001 frames, 0:00:01.361, by its table of samples"))
    #expect(lines.contains { $0.hasSuffix("LC, gapless, encoder delay 1024 frames") })
    #expect(lines.contains("  format        ADTS, AAC, 44100 Hz, 2 channels"))
    #expect(lines.contains("  length        61440 frames, 0:00:01.393, counted"))
    #expect(lines.contains { $0.hasSuffix("the file does not tell what its encoder has added") })
  }

  @Test func `without the helper the file is named, and what would decode it`() throws {
    let run = try Attacca(
      script: "ATTACCA_DECODE=/nowhere/attacca-decode \"$attacca\" probe '\(folder.file("a.m4a"))'")
    #expect(run.output.isEmpty && run.status == 2)
    #expect(
      run.errors == """
        \(folder.file("a.m4a")): not supported: /nowhere/attacca-decode cannot be started: \
        No such file or directory

        """)
  }

  @Test func `a helper that cannot be loaded, and one that is another program, are told`() throws {
    let broken = try Attacca(
      script: """
        printf '#!/bin/sh\\nexit 127\\n' >'\(folder.file("decode"))'; chmod +x '\(folder.file("decode"))'
        ATTACCA_DECODE='\(folder.file("decode"))' "$attacca" probe '\(folder.file("a.m4a"))'
        """)
    #expect(broken.status == 2)
    #expect(
      broken.errors.contains("it needs the packages libavformat59 and libavcodec59"),
      "\(broken.errors)")
    let other = try Attacca(
      script: "ATTACCA_DECODE=/bin/true \"$attacca\" probe '\(folder.file("a.m4a"))'")
    #expect(other.status == 2)
    #expect(other.errors.contains("attacca-decode ended while it decoded it"), "\(other.errors)")
  }

  @Test func `files of both kinds are one timeline`()
    throws
  {
    let album =
      "'fixtures/formats/flac16.flac' '\(folder.file("a.m4a"))' 'fixtures/formats/flac16.flac'"
    let whole = try Attacca(script: "\"$attacca\" render \(album) -o '\(folder.file("a.wav"))'")
    #expect(whole.status == 0, "\(whole.errors)")
    let lengths = try Attacca("probe", folder.file("a.wav")).output
    #expect(lengths.contains("180003 frames"), "\(lengths)")
  }
}
