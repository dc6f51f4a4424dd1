// SPDX-License-Identifier: Apache-2.0

public import MediaTime
public import SoundFiles

/// A cue sheet: the tracks of one file or several, in 75ths of a second, which are 588 frames at 44.1 kHz.
public struct CueSheet: Hashable, Sendable {
  /// Policies for the stretches between INDEX 00 and INDEX 01, which most CDs have as pauses, and for silence that is in
  /// no file (PREGAP, POSTGAP): `Entry.gap`.
  public enum Pregaps: String, Hashable, Sendable, CaseIterable {
    /// Each is the end of the track in front, as a CD plays them: all of a file is heard, and silence where it is named.
    case kept
    /// None is heard, nor silence.
    case dropped
    /// Each is heard in front of its track, as part of it.
    case prepended
  }

  /// One FILE of a sheet.
  public struct File: Hashable, Sendable {
    /// Name as the sheet has it, byte by byte.
    public var name: BytePath
    /// Word behind the name: "WAVE", also for FLAC, "MP3".
    public var type: String
    /// Tags of the album that it is, where commands for that stand behind FILE and in front of its first track.
    public var tags = Tags()
  }

  /// One INDEX of a track.
  public struct Index: Hashable, Sendable {
    /// Number: 0 begins the pregap, 1 the track.
    public var number: Int
    /// Position among `files` of the file that it is in.
    public var file: Int
    /// 75ths of a second from the file's beginning.
    public var frames: Int64
    /// Time from the file's beginning, exact.
    public var time: MediaTime { MediaTime(value: frames, timescale: 75) }
  }

  /// One TRACK of a sheet.
  public struct Track: Hashable, Sendable {
    /// Number, 1 to 99 as a rule.
    public var number: Int
    /// True for sound, false for data.
    public var isAudio: Bool
    /// Tags of the track, as the sheet has them.
    public var tags = Tags()
    /// Places, in the sheet's order.
    public var indexes: [Index] = []
    /// Words of FLAGS: "PRE", "DCP".
    public var flags: [String] = []
    /// Silence in front of the track that is in no file, in 75ths of a second: PREGAP.
    public var pregap: Int64 = 0
    /// Silence behind it that is in no file, in 75ths of a second: POSTGAP.
    public var postgap: Int64 = 0

    /// The place at which the track begins; nil for a track without any.
    public var begin: Index? {
      indexes.first { $0.number == 1 } ?? indexes.first { $0.number > 0 } ?? indexes.first
    }
    /// The place at which its pregap begins, INDEX 00; nil for none.
    public var pregapBegin: Index? { indexes.first { $0.number == 0 } }
  }

  /// Tags of the whole, which is an album as a rule.
  public var tags = Tags()
  /// Files, in order.
  public var files: [File] = []
  /// Tracks, in order.
  public var tracks: [Track] = []

  /// Name of the album, or of the first file, where the whole has none.
  var title: String? { tags.album ?? files.first?.tags.album }

  /// A sheet of nothing.
  public init() {}

  /// Frames of a CD in a second.
  public static let framesPerSecond: Int32 = 75
}
