// SPDX-License-Identifier: Apache-2.0

import Attacca
@testable import Rendering
import Testing

/// Players on an offline bus of two channels at 48 kHz, pulled by the test.
final class BusPlayback {
  static let format = AudioFormat(sampleRate: 48_000, layout: .stereo)

  let bus = OfflineBus(format: BusPlayback.format)

  /// Another voice, which plays `sources` once it is told to.
  func makePlayer(_ sources: [any AudioSource], fade: Fade = .none) -> SampleBufferPlayer {
    let player = SampleBufferPlayer(renderer: bus.makeRenderer(), fade: fade)
    player.playlist.append(contentsOf: sources.map { PlaylistItem($0) })
    return player
  }

  /// A voice without a player and its synchronizer, which plays `samples` from now on.
  func start(_ samples: [Float], ends: Bool = true) -> (AudioRenderer, RenderSynchronizer) {
    let (renderer, synchronizer) = (bus.makeRenderer(), RenderSynchronizer())
    synchronizer.fade = .none
    synchronizer.addRenderer(renderer)
    renderer.enqueue(SampleBuffer(samples: samples, format: Self.format, at: .zero))
    if ends { renderer.finishEnqueuing() }
    synchronizer.rate = 1
    return (renderer, synchronizer)
  }

  /// Exactly `frames` frames, interleaved; decoders that are behind are waited for.
  func pull(_ frames: Int, sourceLocation: SourceLocation = #_sourceLocation) -> [Float] {
    var heard = [Float](repeating: 0, count: 2 * frames)
    var done = 0
    wait(sourceLocation: sourceLocation) {
      done += heard.withUnsafeMutableBufferPointer {
        bus.render(frames: frames - done, into: $0.baseAddress! + 2 * done)
      }
      return done == frames
    }
    return heard
  }

  /// What there is now, at most `frames` frames, interleaved.
  func pullSome(_ frames: Int) -> [Float] {
    var heard = [Float](repeating: 0, count: 2 * frames)
    let count = heard.withUnsafeMutableBufferPointer {
      bus.render(frames: frames, into: $0.baseAddress!)
    }
    return Array(heard.prefix(2 * count))
  }

  func pullToEnd() -> [Float] {
    var heard: [Float] = []
    bus.renderToEnd { heard += $0 }
    return heard
  }

  /// Has `player` play, and waits until it has begun.
  func play(_ player: SampleBufferPlayer, sourceLocation: SourceLocation = #_sourceLocation) {
    player.play()
    wait(sourceLocation: sourceLocation) {
      player.renderer.output.withLock { player.renderer.line.transport == .running }
    }
  }
}

extension GeneratorSource {
  /// `frameCount` frames whose numbers from `first` on are heard in channel `channel` of two, silence in the
  /// other.
  static func numbers(
    from first: Int64 = 1, in channel: Int, frameCount: Int64 = 10_000_000
  ) -> GeneratorSource {
    GeneratorSource(name: "numbers", format: BusPlayback.format, frameCount: frameCount) {
      samples, frame in
      for i in 0..<samples.count / 2 {
        samples[2 * i] = channel == 0 ? Float(first + frame + Int64(i)) : 0
        samples[2 * i + 1] = channel == 1 ? Float(first + frame + Int64(i)) : 0
      }
    }
  }
}

/// The samples of `channel` of two.
func channel(_ channel: Int, of samples: [Float]) -> [Float] {
  stride(from: channel, to: samples.count, by: 2).map { samples[$0] }
}
