// SPDX-License-Identifier: Apache-2.0

@testable import Attacca

/// A player of patchy sounds at their own rate, with silences shortened.
struct SilencePlayback {
  let offline: OfflinePlayback
  let models: [SilenceModel]
  var player: SampleBufferPlayer { offline.player }

  /// Sounds of so many frames, numbered from 1.
  init(_ lengths: [Int], skipping: SilenceSkipping? = SilenceSkipping()) {
    models = lengths.enumerated().map { SilenceModel($0 + 1, $1) }
    let decoder = DecoderWatchdog { (path: String) throws(SoundFileError) in
      try PatchySource(path: path)
    }
    offline = OfflinePlayback(
      models.map(\.path), format: AudioFormat(sampleRate: PatchySource.rate, layout: .mono),
      decoder: decoder)
    player.renderer.audioTimePitchAlgorithm = .varispeed
    player.silenceSkipping = skipping
  }

  /// Offset in the current item, in frames.
  var offset: Int { Int(RationalTime(player.currentTime).frames(at: PatchySource.rate)) }

  /// Frames that have been left out.
  var skipped: Int { Int(RationalTime(player.skippedSilence).frames(at: PatchySource.rate)) }

  static func time(_ frames: Int) -> MediaTime {
    MediaTime(value: Int64(frames), timescale: Int32(PatchySource.rate))
  }
}
