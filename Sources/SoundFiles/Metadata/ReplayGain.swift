// SPDX-License-Identifier: Apache-2.0

/// Loudness of a file as its tags tell it: by ReplayGain 2, or as Opus files have it (RFC 7845 §5.2.1).
public struct ReplayGain: Hashable, Sendable {
  /// Gain that brings something to the reference level, and its greatest sample.
  public struct Value: Hashable, Sendable {
    /// Decibels, positive where it is quieter than the reference level.
    public var gain: Double
    /// Greatest sample, 1 being full scale; nil where that is not known.
    ///
    /// What measured it has looked at samples, or at what lies between them: a true peak.
    public var peak: Double?

    /// A gain of `gain` dB, for something whose greatest sample is `peak`.
    public init(gain: Double, peak: Double? = nil) { (self.gain, self.peak) = (gain, peak) }
  }

  /// Loudness that gains lead to, in LUFS: the -18 of ReplayGain 2, which are the 89 dB of the first one.
  public static let referenceLevel = -18.0

  /// Value for the file alone; nil where it has none.
  public var track: Value?
  /// Value for all files of its album; nil where it has none.
  public var album: Value?
  /// Level in LUFS that REPLAYGAIN_REFERENCE_LOUDNESS says was aimed at; nil where the file does not say.
  ///
  /// Gains are not changed by it, here as in other players: who has aimed at another level hears that.
  public var statedReferenceLevel: Double?

  /// Values for a file alone and for its album.
  public init(track: Value? = nil, album: Value? = nil, statedReferenceLevel: Double? = nil) {
    (self.track, self.album) = (track, album)
    self.statedReferenceLevel = statedReferenceLevel
  }

  /// True where neither of the two values is known.
  public var isEmpty: Bool { track == nil && album == nil }

  /// Takes the values of `other` where there are none here.
  public mutating func fill(from other: ReplayGain) {
    track = track ?? other.track
    album = album ?? other.album
    statedReferenceLevel = statedReferenceLevel ?? other.statedReferenceLevel
  }
}

extension Tags {
  /// Loudness that the tags tell, by whatever names; empty where they tell none.
  ///
  /// Of several names for one gain those of Opus come first (R128_TRACK_GAIN: 1/256 dB to -23 LUFS, behind the gain
  /// of the file's header, which decoding applies), then REPLAYGAIN_TRACK_GAIN in any case, RVA2 of ID3 and RG_RADIO.
  public var replayGain: ReplayGain {
    guard !isEmpty else { return ReplayGain() }
    var found = ReplayGain()
    found.track = value(Spellings.track)
    found.album = value(Spellings.album)
    found.statedReferenceLevel = self[Spellings.reference].first.flatMap(Self.level)
    return found
  }

  /// Names of a gain and its peak, those that count more first; made once, as each file that is opened is asked.
  private struct Spellings {
    let opus: Name
    let gains: [Name]
    let peaks: [Name]

    static let track = Spellings(
      opus: "r128_track_gain", gains: ["replaygain_track_gain", "rva2_track_gain", "rg_radio"],
      peaks: ["replaygain_track_peak", "rva2_track_peak", "rg_peak"])
    static let album = Spellings(
      opus: "r128_album_gain",
      gains: ["replaygain_album_gain", "rva2_album_gain", "rg_audiophile"],
      peaks: ["replaygain_album_peak", "rva2_album_peak"])
    static let reference: Name = "replaygain_reference_loudness"
  }

  private func value(_ names: Spellings) -> ReplayGain.Value? {
    let ofOpus = self[names.opus].lazy.compactMap(Self.opusGain).first
    let others = names.gains.lazy.compactMap { self[$0].lazy.compactMap(Self.decibels).first }
    guard let gain = ofOpus ?? others.first else { return nil }
    let peak = names.peaks.lazy.compactMap { self[$0].lazy.compactMap(Self.peak).first }.first
    return ReplayGain.Value(gain: gain, peak: peak)
  }

  /// Decibels to -18 LUFS of a whole number of 1/256 dB to -23 LUFS.
  private static func opusGain(_ text: String) -> Double? {
    guard let units = Int16(text.drop { $0 == " " || $0 == "+" }.prefix { $0 != " " }) else {
      return nil
    }
    return Double(units) / 256 + 5
  }

  /// The -6.5 of "-6.50 dB", "-6,50" and " -6.5dB".
  private static func decibels(_ text: String) -> Double? {
    // Beyond that it is no loudness.
    number(text, units: ["", "db"]).flatMap { abs($0) <= 100 ? $0 : nil }
  }

  private static func peak(_ text: String) -> Double? {
    // A peak of 0 is what programs write that have not measured one.
    number(text, units: [""]).flatMap { $0 > 0 && $0 <= 1_000 ? $0 : nil }
  }

  /// LUFS of "89.0 dB", which is the loudness of a loudspeaker, and of "-18.00 LUFS".
  private static func level(_ text: String) -> Double? {
    if let level = number(text, units: ["lufs"]) { return level }
    return decibels(text).map { $0 > 0 ? $0 - 107 : $0 }
  }

  private static func number(_ text: String, units: Set<String>) -> Double? {
    let plain = text.lowercased().filter { $0 != " " }
    let digits = plain.prefix { $0.isASCII && ($0.isNumber || "+-.,".contains($0)) }
    guard units.contains(String(plain.dropFirst(digits.count))) else { return nil }
    let number = Double(String(digits.map { $0 == "," ? "." : $0 }))
    return number.flatMap { $0.isFinite ? $0 : nil }
  }
}
