// SPDX-License-Identifier: Apache-2.0

/// Something that takes bytes from strangers.
enum FuzzTarget: String, CaseIterable, Sendable {
  // Containers by libsndfile; `wav` has RF64 and RIFX in it.
  case wav, w64, aiff, caf, opus
  // libFLAC.
  case flac, oggflac
  /// libvorbisfile.
  case vorbis
  /// libmpg123.
  case mp3
  /// M3U, PLS, XSPF and ASX, by how they begin.
  case playlist
  case cue
  /// What playlists on a network say: M3U, PLS, XSPF, and HLS.
  case list, hls
  /// Titles in a broadcast.
  case icy
  /// Timed tags in segments of HLS.
  case timedtags
  /// What an earlier run, or somebody else, has left in the cache's folder.
  case cache
  /// Messages of the process that decodes, and to it.
  case helper
  /// What is read of tags, chapters and pictures by ourselves.
  case id3, mpeg4, matroska
  /// What clients of the service send.
  case serve
  /// What the user of the service writes.
  case settings
  /// What a power cut has left of the service's changes.
  case journal
  /// What a user types as a time.
  case time
  /// Media times as JSON, and of any fields.
  case mediatime

  /// Whether the bytes are for this target: those of another are left to it.
  func takes(_ bytes: [UInt8]) -> Bool {
    let (head, kind) = (bytes.prefix(4), bytes.dropFirst(8).prefix(4))
    func begins(_ heads: String...) -> Bool { heads.contains { head.elementsEqual($0.utf8) } }
    let isWave = begins("RIFF", "RIFX", "RF64", "BW64") && kind.elementsEqual("WAVE".utf8)
    let isAIFF =
      begins("FORM") && ["AIFF", "AIFC"].contains { kind.elementsEqual($0.utf8) }
    switch self {
    case .wav: return isWave
    case .w64: return begins("riff")
    case .aiff: return isAIFF
    case .caf: return begins("caff")
    case .flac: return begins("fLaC") || head.starts(with: "ID3".utf8) || head.first == 0xFF
    case .opus, .vorbis, .oggflac: return begins("OggS")
    case .mp3: return !isWave && !isAIFF && !begins("riff", "caff", "fLaC", "OggS")
    case .mpeg4: return kind.isEmpty == false && !begins("RIFF", "FORM")
    case .playlist, .cue, .list, .hls, .icy, .timedtags, .cache, .helper, .id3, .matroska, .serve,
      .settings, .journal, .time, .mediatime:
      return true
    }
  }

  /// Holds what comes of the bytes to what is promised.
  ///
  /// - Throws: a `Finding`.
  func check(_ bytes: [UInt8]) throws {
    switch self {
    case .wav, .w64, .aiff, .caf, .flac, .oggflac, .opus, .vorbis, .mp3:
      try SoundFileCheck.run(bytes)
    case .playlist: try PlaylistCheck.run(bytes)
    case .cue: try CueCheck.run(bytes)
    case .list: try ListCheck.run(bytes)
    case .hls: try HLSCheck.run(bytes)
    case .icy: try TitleCheck.run(bytes)
    case .timedtags: try TimedTagCheck.run(bytes)
    case .cache: try CacheCheck.run(bytes)
    case .helper: try HelperCheck.run(bytes)
    case .id3: try MetadataCheck.id3(bytes)
    case .mpeg4: try MetadataCheck.mpeg4(bytes)
    case .matroska: try MetadataCheck.matroska(bytes)
    case .serve: try ServiceCheck.run(bytes)
    case .settings: try SettingsCheck.run(bytes)
    case .journal: try JournalCheck.run(bytes)
    case .time: try ClockTextCheck.run(bytes)
    case .mediatime: try MediaTimeCheck.run(bytes)
    }
  }
}
