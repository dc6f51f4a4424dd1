// SPDX-License-Identifier: Apache-2.0

import Attacca

/// Plays files and shows the level of each channel as it is heard.
///
/// The mean is a bar, the held peak a mark on it and a number, in decibels of full scale.
///
///     swift run Meter one.flac two.mp3
///     swift run Meter one.wav --silent
@main struct Meter {
  /// Decibels that the left end of a bar stands for; the right one stands for full scale.
  static let floor = -60.0
  static let width = 40

  static func main() async throws {
    let paths = CommandLine.arguments.dropFirst().filter { $0 != "--silent" }
    guard !paths.isEmpty else {
      print("usage: Meter FILE... [--silent]")
      return
    }
    let isSilent = CommandLine.arguments.contains("--silent")
    let player = isSilent ? SampleBufferPlayer(renderer: NullRenderer()) : try SampleBufferPlayer()
    let events = player.events
    let tap = player.renderer.tap()
    let meter = Task { await show(tap) }
    player.playlist.append(contentsOf: paths.map { PlaylistItem(path: $0) })
    player.play()
    for await event in events {
      if case .itemsDidFail(let failures) = event { print(failures) }
      if case .endOfQueue = event { break }
    }
    // What is heard is told 50 ms later: the last of it is still on its way.
    try await Task.sleep(for: .milliseconds(200))
    meter.cancel()
    print("loudest: \(text(await meter.value)) dB")
  }

  /// Shows what is heard until it is cancelled, ten times in a second of sound.
  ///
  /// Returns the highest peak, in decibels.
  static func show(_ tap: EventSequence<TappedAudio>) async -> Double {
    var meter = LevelMeter()
    var (loudest, heard, shown) = (-Double.infinity, 0.0, 0.0)
    for await audio in tap {
      meter.update(audio)
      for level in meter.levels { loudest = max(loudest, level.peak) }
      heard += Double(audio.buffer.frameCount) / Double(audio.buffer.format.sampleRate)
      guard heard - shown >= 0.1 else { continue }
      shown = heard
      // The time of the frames that are measured: right after a seek, a pause and at any speed.
      let time = audio.buffer.time.seconds
      for (channel, level) in meter.levels.enumerated() {
        print("\(text(time)) s, channel \(channel + 1): \(bar(level)) \(text(level.hold)) dB")
      }
    }
    return loudest
  }

  static func bar(_ level: LevelMeter.Level) -> String {
    var cells = Array(repeating: Character("."), count: width)
    for i in 0..<place(level.mean) { cells[i] = "=" }
    let mark = place(level.hold)
    if mark > 0 { cells[mark - 1] = "|" }
    return String(cells)
  }

  /// Cells from the left end of a bar to a level.
  static func place(_ level: Double) -> Int {
    let part = (min(max(level, floor), 0) - floor) / -floor
    return Int((part * Double(width)).rounded())
  }

  /// With one digit behind the point.
  static func text(_ value: Double) -> String {
    value.isFinite ? "\((value * 10).rounded() / 10)" : "\(value)"
  }
}
