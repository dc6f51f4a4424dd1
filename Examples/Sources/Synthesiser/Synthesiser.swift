// SPDX-License-Identifier: Apache-2.0

import Attacca
import Glibc
import Synchronization

/// Plays a tone whose pitch follows what is typed, one note a line; two seconds of it lie at the sound server,
/// and a new pitch is heard within 20 ms all the same.
///
///     swift run Synthesiser            # 440, 550, 660, ... or an empty line to end
///     echo "550" | swift run Synthesiser --silent
@main struct Synthesiser {
  /// Pitches by the frame from which on they hold, with the phase there: any frame can be calculated again, as
  /// it will be where an edit, a seek or another speed asks for it.
  final class Score: Sendable {
    struct Note {
      let first: Int64
      let phase: Double
      let hertz: Double

      func phase(at frame: Int64, rate: Double) -> Double {
        (phase + hertz * Double(frame - first) / rate).truncatingRemainder(dividingBy: 1)
      }
    }

    let rate = 48_000
    private let notes: Mutex<[Note]>

    init(hertz: Double) { notes = Mutex([Note(first: 0, phase: 0, hertz: hertz)]) }

    /// The pitch is `hertz` from `frame` on; the wave goes on from where it is there.
    func set(_ hertz: Double, from frame: Int64) {
      notes.withLock { notes in
        notes.removeAll { $0.first >= frame && $0.first > 0 }
        let phase = notes.last?.phase(at: frame, rate: Double(rate)) ?? 0
        notes.append(Note(first: frame, phase: phase, hertz: hertz))
      }
    }

    func write(_ samples: UnsafeMutableBufferPointer<Float>, from first: Int64) {
      // A copy: whoever sets a pitch does not wait for a second of sound to be calculated.
      let notes = self.notes.withLock { $0 }
      for i in samples.indices {
        let frame = first + Int64(i)
        guard let note = notes.last(where: { $0.first <= frame }) else { continue }
        samples[i] = Float(sin(note.phase(at: frame, rate: Double(rate)) * 2 * .pi)) / 8
      }
    }
  }

  static func main() async throws {
    let isSilent = CommandLine.arguments.contains("--silent")
    let player =
      isSilent ? SampleBufferPlayer(renderer: NullRenderer()) : try SampleBufferPlayer()
    let score = Score(hertz: 440)
    let tone = GeneratorSource(
      name: "tone", format: AudioFormat(sampleRate: score.rate, layout: .mono)
    ) { samples, first in
      score.write(samples, from: first)
    }
    player.playlist.append(PlaylistItem(tone))
    let events = player.events
    player.play()
    for await case .currentItemDidChange(_?) in events { break }
    while let line = readLine(), !line.isEmpty {
      guard let hertz = Double(line), 20...20_000 ~= hertz else {
        print("a pitch of 20 to 20,000 Hz")
        continue
      }
      // What is heard by then is out of reach; what lies behind it is calculated again, and takes its place.
      let reach = player.earliestChange
      let time = player.currentTime + reach
      score.set(hertz, from: Int64((time.seconds * Double(score.rate)).rounded()))
      player.readAgain()
      print("\(hertz) Hz, from \(time.seconds) s on, in \(reach.seconds * 1_000) ms")
    }
    player.stop()
  }
}
