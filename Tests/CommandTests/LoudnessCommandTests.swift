// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What `attacca loudness` prints, writes, and leaves alone.
struct LoudnessCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs a script with files a.flac at -20 dBFS and b.flac 10 dB below, of one album, b.mp3 and c.wav.
  @discardableResult
  private func run(_ script: String) throws -> Attacca {
    let make = """
      cd '\(folder.path)'
      tone='sin(2*PI*997*t)'
      make() {
        [ -e "$3" ] || ffmpeg -v error -f lavfi -i "aevalsrc=$1*$tone|$1*$tone:d=$4:s=48000" \
          -c:a "${5:-flac}" \
          -metadata album=One -metadata artist=Who -metadata track=$2 "$3"
      }
      make 0.1 1 a.flac 3
      make 0.0316228 2 b.flac 3
      make 0.1 2 b.mp3 3 libmp3lame
      make 0.1 3 c.wav 3 pcm_s16le

      """
    return try Attacca(script: make + script)
  }

  private func lines(_ run: Attacca) -> [String] {
    run.output.split(separator: "\n").map(String.init)
  }

  @Test func `a table has loudness, range, true peak and gain of files and albums`() throws {
    let run = try run("$attacca loudness --album a.flac b.flac")
    #expect(run.status == 0 && run.errors == "", "\(run.errors)")
    let lines = lines(run)
    try #require(lines.count == 4)
    #expect(lines[0] == "   LUFS     LU  true peak       gain")
    // The edge of a tone overshoots by a hundredth of a decibel.
    #expect(lines[1] == " -20.00    0.0  -19.99 dB    2.00 dB  a.flac")
    #expect(lines[2] == " -30.00    0.0  -29.99 dB   12.00 dB  b.flac")
    // The mean of the powers of both, which are as long: 10 log10(0.55) below the louder one.
    #expect(lines[3] == " -22.60   10.0  -19.99 dB    4.60 dB  album of 2 files: One")
  }

  @Test func `JSON has the same in numbers`() throws {
    let run = try run("$attacca loudness --json a.flac missing.flac")
    #expect(run.status == 3)
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let files = try #require(report["files"] as? [[String: Any]])
    #expect(abs((files[0]["loudness"] as? Double ?? 0) + 20) < 0.01)
    #expect(abs((files[0]["truePeak"] as? Double ?? 0) - 0.1) < 0.001)
    #expect(files[0]["written"] as? Bool == false)
    #expect((files[1]["error"] as? String)?.contains("missing.flac") == true)
  }

  @Test func `writing says what was written and what cannot be, and playing goes by it`() throws {
    let run = try run("$attacca loudness --write --album .")
    #expect(run.status == 3)
    #expect(lines(run).count { $0.hasSuffix("  written") } == 3)
    #expect(
      run.errors == "./c.wav: not supported: loudness is not written into WAV, 16 bit files\n")
    let probed = try self.run("$attacca probe a.flac")
    #expect(probed.output.contains("  replay gain   track 2.00 dB, peak 0.1000"))
    #expect(probed.output.contains("; album "))
    // 2 dB louder than a tenth.
    let played = try self.run(
      """
      $attacca render --replay-gain track -o out.wav a.flac
      $attacca loudness out.wav
      """)
    #expect(lines(played).last?.hasPrefix(" -18.0") == true, "\(played.output)")
    let limited = try self.run(
      """
      $attacca render --replay-gain track --replay-gain-preamp 30 --replay-gain-clip limiter \
        --force -o out.wav a.flac && $attacca loudness out.wav
      $attacca render --replay-gain track --replay-gain-preamp 30 --replay-gain-clip limiter \
        --speed 2 --force -o out.wav a.flac && $attacca loudness out.wav
      """)
    let peaks = lines(limited).filter { $0.hasSuffix("out.wav") }
    #expect(peaks.count == 2 && peaks.allSatisfy { $0.hasPrefix("  -1.0") }, "\(limited.output)")
  }

  @Test func `a part of a file is measured, and not written`() throws {
    let run = try run(
      """
      printf 'FILE "a.flac" FLAC\\n TRACK 01 AUDIO\\n  INDEX 01 00:00:00\\n' >a.cue
      printf ' TRACK 02 AUDIO\\n  TITLE Second\\n  INDEX 01 00:02:00\\n' >>a.cue
      $attacca loudness --write a.cue
      """)
    #expect(run.status == 3)
    #expect(lines(run).last == " -20.00    0.0  -19.99 dB    2.00 dB  a.flac, Second")
    #expect(run.errors.contains("not written: a part of a file has no tags of its own"))
  }

  @Test(arguments: [1, 100_000_000])
  func `a disk that is full while the file is copied, or gets its tags, changes nothing`(
    room: Int
  ) throws {
    // What a limit on the size of files refuses, the kernel refuses as a full disk does; blocks are of 512 bytes.
    let run = try run(
      """
      ffmpeg -v error -i b.mp3 -c copy -map_metadata -1 -id3v2_version 0 -write_xing 0 bare.mp3
      cp bare.mp3 before
      size=$(stat -c %s bare.mp3); least=\(room)
      [ $least -gt $size ] && least=$size
      trap '' XFSZ
      (ulimit -f $(( (least + 511) / 512 )); $attacca loudness --write bare.mp3); status=$?
      cmp bare.mp3 before && ls
      exit $status
      """)
    #expect(run.status == 3, "\(run.output)")
    #expect(run.errors.contains("bare.mp3: cannot be written: "), "\(run.errors)")
    #expect(lines(run).suffix(6) == ["a.flac", "b.flac", "b.mp3", "bare.mp3", "before", "c.wav"])
  }

  @Test func `killed at any moment it leaves the old file or the whole new one`() throws {
    let run = try run(
      """
      ffmpeg -v error -f lavfi -i anoisesrc=d=8:r=48000:seed=2 -ac 2 n.flac
      sound() { ffmpeg -v error -i n.flac -f md5 -; }
      cp n.flac before; wanted=$(sound)
      for i in 05 10 20 30 40 50 60 70 80 90 95; do
        timeout -s KILL 0.$i $attacca loudness --write n.flac >/dev/null 2>&1
        [ "$(sound)" = "$wanted" ] || echo changed after $i
        cp before n.flac
      done
      $attacca loudness --write n.flac
      [ "$(sound)" = "$wanted" ] && echo same
      """)
    #expect(!run.output.contains("changed"), "\(run.output)")
    #expect(lines(run).suffix(2).first?.hasSuffix("n.flac  written") == true)
    #expect(lines(run).last == "same")
  }

  @Test func `without attacca-tag it says so, and the file stays`() throws {
    let run = try run(
      """
      cp a.flac before
      ATTACCA_TAG=/nonexistent/attacca-tag $attacca loudness --write a.flac; status=$?
      cmp a.flac before && exit $status
      """)
    #expect(run.status == 3)
    #expect(
      run.errors
        == "a.flac: cannot be written: /nonexistent/attacca-tag cannot be started: "
        + "No such file or directory\n")
  }

  @Test func `options that make no sense are refused`() throws {
    let preamp = try Attacca(
      "play", "--replay-gain", "track", "--replay-gain-preamp", "50", "a.wav")
    #expect(preamp.errors.contains("--replay-gain-preamp is -40 to 40 dB, not 50.0."))
    let mode = try Attacca("play", "--replay-gain", "loud", "a.wav")
    #expect(mode.status != 0 && mode.errors.contains("'loud' is invalid for '--replay-gain"))
  }
}
