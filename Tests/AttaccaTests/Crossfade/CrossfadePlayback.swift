// SPDX-License-Identifier: Apache-2.0

import Attacca

/// A player, pulled at 48 kHz, of items whose frames are a ramp each.
struct CrossfadePlayback {
  static let format = AudioFormat(sampleRate: 48_000, layout: .mono)
  let offline: OfflinePlayback
  var player: SampleBufferPlayer { offline.player }

  init(crossfade frames: Int64?, curve: ItemCrossfade.Curve = .equalPower, fade: Fade = .none) {
    offline = OfflinePlayback(format: Self.format, fade: fade)
    player.crossfade = frames.map {
      ItemCrossfade(duration: MediaTime(value: $0, timescale: 48_000), curve: curve)
    }
  }

  init(
    crossfade frames: Int64?, lengths: [Int], curve: ItemCrossfade.Curve = .equalPower,
    fade: Fade = .none
  ) {
    self.init(crossfade: frames, curve: curve, fade: fade)
    player.playlist.append(
      contentsOf: lengths.enumerated().map { Self.item($0, length: $1) })
  }

  /// Item `number` is as high above zero as that says, and rises.
  static func sample(_ number: Int, _ frame: Int) -> Double {
    Double(Float(number + 1) / 16 + Float(frame) / Float(1 << 24))
  }

  static func item(
    _ number: Int, length: Int, gain: Float = 0, automation: VolumeAutomation = VolumeAutomation(),
    tags: Tags? = nil, isLengthKnown: Bool = true
  ) -> PlaylistItem {
    PlaylistItem(
      source(number, length: length, isLengthKnown: isLengthKnown), gain: gain,
      volumeAutomation: automation, tags: tags)
  }

  static func source(
    _ number: Int, length: Int, isLengthKnown: Bool = true
  ) -> any AudioSource {
    let source = GeneratorSource(name: "item \(number)", format: format, frameCount: Int64(length))
    {
      samples, first in
      for i in samples.indices { samples[i] = Float(sample(number, Int(first) + i)) }
    }
    return isLengthKnown ? source : EndlessSource(source: source)
  }

  static func modelled(_ number: Int, length: Int) -> CrossfadeModel.Item {
    CrossfadeModel.Item(length: length) { sample(number, $0) }
  }

  static func model(_ lengths: [Int], wanted: Int) -> CrossfadeModel {
    CrossfadeModel(
      items: lengths.enumerated().map { modelled($0, length: $1) }, wanted: wanted)
  }
}

/// A source that does not tell its length.
private struct EndlessSource: AudioSource {
  let source: GeneratorSource
  var name: String { source.name }

  func open() async throws -> sending any AudioSourceReader {
    EndlessReader(try await source.open())
  }

  private final class EndlessReader: AudioSourceReader {
    private let reader: any AudioSourceReader
    init(_ reader: sending any AudioSourceReader) { self.reader = reader }

    var format: AudioFormat { reader.format }
    var frameCount: Int64? { nil }
    func seek(to frame: Int64) throws { try reader.seek(to: frame) }
    func read(into samples: UnsafeMutableBufferPointer<Float>) throws -> AudioRead {
      try reader.read(into: samples)
    }
  }
}
