// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
import Testing

/// A serializer of ramps on an offline renderer, pulled by the test; pauses and seeks do not fade.
final class SerializedPlayback {
  let renderer = OfflineRenderer(
    format: AudioFormat(sampleRate: RampSource.rate, layout: .mono))
  let synchronizer = RenderSynchronizer()
  let serializer: SampleBufferSerializer

  init() {
    let decoder = DecoderWatchdog { (path: String) throws(SoundFileError) in
      try RampSource(path: path)
    }
    serializer = SampleBufferSerializer(
      renderer: renderer, synchronizer: synchronizer, fade: .none, decoder: decoder,
      shared: SharedQueue())
  }

  /// An item of `frames` frames that name themselves.
  static func item(_ number: Int, frames: Int) -> PlaylistItem {
    PlaylistItem(path: "ramp \(number) \(frames)")
  }

  /// What `frames` of item `number` sound like.
  static func ramp(_ number: Int, _ frames: Range<Int>) -> [Float] {
    frames.map { RampSource.sample(number, $0) }
  }

  static func time(_ frames: Int) -> MediaTime {
    MediaTime(value: Int64(frames), timescale: Int32(RampSource.rate))
  }

  /// Does `body` and waits until all that it asked for has taken effect; in a minute, or it fails.
  func settling(sourceLocation: SourceLocation = #_sourceLocation, _ body: () -> Void) {
    body()
    wait(sourceLocation: sourceLocation) { serializer.isSettled }
  }

  /// Pulls exactly `frames` frames, waiting for the decoder where it is behind; in a minute, or it
  /// fails.
  func pull(_ frames: Int, sourceLocation: SourceLocation = #_sourceLocation) -> [Float] {
    var heard: [Float] = []
    wait(sourceLocation: sourceLocation) {
      heard += pullWhatIsThere(frames - heard.count)
      return heard.count == frames
    }
    return heard
  }

  /// At most `frames` frames, and only what there is now.
  func pullWhatIsThere(_ frames: Int) -> [Float] {
    [Float](unsafeUninitializedCapacity: frames) { samples, count in
      if let base = samples.baseAddress { count = renderer.render(frames: frames, into: base) }
    }
  }

  /// All frames to the end.
  func pullToEnd() -> [Float] {
    var heard: [Float] = []
    renderer.renderToEnd { heard.append(contentsOf: $0) }
    return heard
  }
}
