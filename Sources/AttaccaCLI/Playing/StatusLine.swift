// SPDX-License-Identifier: Apache-2.0

import Attacca
import Glibc

/// The line that is shown while playing.
struct StatusLine {
  var isPlaying = false
  /// Whole seconds.
  var elapsed = 0
  /// Portion of the item that has been heard, 0...1; nil where its length is not known.
  var portion: Double?
  /// Whole seconds.
  var length: Int?
  /// True where the length is that of what is known of it, and there is more.
  var isLonger = false
  /// Portion of what is on a network that has been loaded, 0...1; nil for files.
  var loaded: Double?
  var title = ""
  /// 1 for the first item.
  var number = 0
  var count = 0
  var volumePercent = 100
  /// 1 for the natural one.
  var speed = 1.0
  /// True where a chapter is played over and over.
  var isLooped = false
  var underruns = 0
  /// Whole seconds of silence that have been left out.
  var skipped = 0
  /// End of the sleep timer in words; nil where none is set.
  var sleep: String?
  /// Levels of the channels; nil where no meter is shown.
  var levels: [LevelMeter.Level]?

  private static let hasSigns = String(cString: nl_langinfo(nl_item(CODESET))) == "UTF-8"

  /// The line in at most `columns` columns; the title takes what the rest leaves.
  func text(columns: Int) -> String {
    let state = Self.hasSigns ? (isPlaying ? "▶" : "⏸") : (isPlaying ? ">" : "=")
    let time = ClockText.short(seconds: elapsed)
    let whole = length.map { " / " + ClockText.short(seconds: $0) + (isLonger ? "+" : "") } ?? ""
    var parts = ["\(state) \(time)\(whole)"]
    if let portion, columns >= 60 { parts.append(bar(portion, width: min(24, columns / 5))) }
    if let levels { parts.append(meter(levels)) }
    parts.append("\(number) of \(count)")
    if let loaded, loaded < 1 { parts.append("\(Int(loaded * 100)) % loaded") }
    if volumePercent != 100 { parts.append("volume \(volumePercent) %") }
    if speed != 1 { parts.append("\(speed.text(decimals: 2)) ×") }
    if isLooped { parts.append("loop") }
    if skipped > 0 { parts.append("\(ClockText.short(seconds: skipped)) skipped") }
    if let sleep { parts.append(sleep) }
    if underruns > 0 { parts.append("\(underruns) underrun\(underruns == 1 ? "" : "s")") }
    let fixed = parts.joined(separator: "  ")
    let room = columns - fixed.columns - 2
    return room < 4 ? fixed.prefix(columns: columns) : fixed + "  " + title.prefix(columns: room)
  }

  /// A sign for each channel of at most two, and the larger held peak; of silence as wide.
  private func meter(_ levels: [LevelMeter.Level]) -> String {
    let signs = Array(Self.hasSigns ? "▁▂▃▄▅▆▇█" : ".:-=+*#@")
    let columns = (0..<2).map { channel -> String in
      guard channel < max(levels.count, 1) else { return "" }
      let peak = channel < levels.count ? levels[channel].peak : -.infinity
      // 6 dB a step, down to -48; silence has none.
      let step = Int(max(0, min(7, (peak + 48) / 6)))
      return peak < -48 ? " " : String(signs[step])
    }
    let hold = levels.map(\.hold).max() ?? -.infinity
    let text = hold < -99 ? "–∞" : String(Int(hold.rounded()))
    return columns.joined() + String(repeating: " ", count: max(0, 4 - text.columns)) + text + " dB"
  }

  private func bar(_ portion: Double, width: Int) -> String {
    let done = Int((min(max(portion, 0), 1) * Double(width)).rounded(.down))
    let (full, empty) = Self.hasSigns ? ("━", "─") : ("=", "-")
    return String(repeating: full, count: done) + String(repeating: empty, count: width - done)
  }
}
