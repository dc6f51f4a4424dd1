// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import Rendering
import SampleBuffers
import SoundFiles

/// The sum of the silence that a rendering leaves out; any thread.
final class BouncedSilence: @unchecked Sendable {
  // @unchecked: `sum` is touched only between wait and signal of `semaphore`.
  private let semaphore = DispatchSemaphore(value: 1)
  private var sum = RationalTime.zero

  /// Length of all that has been left out.
  var total: RationalTime { semaphore.withLock { sum } }

  private func add(_ length: RationalTime) { semaphore.withLock { sum = sum + length } }

  /// The silences of one item, as a player shortens them.
  final class Item {
    private let skipper: SilenceSkipper
    private let silence: BouncedSilence
    /// The place in the item behind what was handed on.
    private var shown: RationalTime

    /// An item of `format`, which overlaps its neighbours.
    init(
      _ setting: SilenceSkipping, _ format: AudioFormat,
      _ overlaps: (entry: Overlap?, exit: Overlap?), in silence: BouncedSilence
    ) {
      func time(_ frames: Int64) -> RationalTime {
        RationalTime(frames: frames, rate: format.sampleRate)
      }
      let entry = overlaps.entry?.duration.frames(at: format.sampleRate) ?? 0
      // From where a player decides on the end.
      let exit = overlaps.exit.map {
        $0.leaving.length - $0.transition.crossfade.frames(at: format.sampleRate)
      }
      shown = time(overlaps.entry?.entering.frames ?? 0)
      skipper = SilenceSkipper(
        setting, format: format, at: shown,
        within: time(entry)..<(exit.map { time(max(entry, $0)) } ?? PlayedRange.end))
      self.silence = silence
    }

    /// Frames that are heard, of the next ones given and of those held back before.
    func push(_ chunk: Chunk) -> [SilenceSkipper.Part] {
      skipper.push(chunk)
      return take()
    }

    /// Frames that are heard of those held back, behind which none come.
    func finish() -> [SilenceSkipper.Part] {
      skipper.finish()
      return take()
    }

    private func take() -> [SilenceSkipper.Part] {
      var parts: [SilenceSkipper.Part] = []
      while let part = skipper.popFirst() {
        silence.add(part.begin - shown)
        shown = part.end
        parts.append(part)
      }
      return parts
    }
  }
}
