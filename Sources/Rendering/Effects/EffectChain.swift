// SPDX-License-Identifier: Apache-2.0

package import MediaTime
package import SampleBuffers

/// The effects that converted frames go through, one behind the other, on the timeline's frames.
///
/// Frames that follow each other are one stretch, whatever items they are of; short silence between them
/// is processed like sound. What comes out has the timeline frame at which it went in: the first frames
/// out, as many as the latency, are left out, and as many of silence are processed behind the last one.
/// A pure state machine: one thread at a time.
package final class EffectChain {
  /// Setting that it was made of.
  let setting: EffectSetting
  private let format: AudioFormat
  /// The present stretch's processors; empty between stretches, and made with the next one's first frame.
  private var processors: [any AudioEffectProcessor] = []
  private var reach = EffectReach()
  /// Timeline frame behind the last one that went in.
  private var end: TimelineFrame = 0
  /// Timeline frame of the next one to come out, but for `left`.
  private(set) var next: TimelineFrame = 0
  /// Frames of the latency that are still to be left out.
  private var left = 0
  private let block: UnsafeMutablePointer<Float>

  /// Most frames that are processed at a time.
  static let maximumFrames = 4_096

  /// Samples for a timeline frame and what follows it, valid during the call; `isTail` behind the last one
  /// that there is.
  package typealias Emit = (
    _ samples: UnsafeBufferPointer<Float>, _ media: TimelineFrame, _ isTail: Bool
  ) -> Void

  /// A chain for frames of `format`; nil where there are no effects.
  package init?(_ setting: EffectSetting, format: AudioFormat) {
    guard !setting.effects.isEmpty else { return nil }
    (self.setting, self.format) = (setting, format)
    block = .allocate(capacity: Self.maximumFrames * format.channelCount)
  }

  deinit { block.deallocate() }

  /// Processors of `setting` for frames of `format`.
  static func processors(
    _ setting: EffectSetting, format: AudioFormat
  ) -> [any AudioEffectProcessor] {
    setting.effects.map { $0.makeProcessor(for: format, maximumFrames: maximumFrames) }
  }

  /// True while a stretch is under way, some of which is held back.
  var isActive: Bool { !processors.isEmpty }

  /// Processes frames for timeline frame `media` and what follows.
  package func push(_ samples: UnsafeBufferPointer<Float>, media: TimelineFrame, emit: Emit) {
    guard let base = samples.baseAddress, !samples.isEmpty else { return }
    if isActive, media != end { pause(upTo: media, emit: emit) }
    if !isActive { begin(at: media) }
    process(base, samples.count / format.channelCount, emit: emit)
  }

  /// Nothing comes before timeline frame `media`: the sound dies away until then.
  func pause(upTo media: TimelineFrame, emit: Emit) {
    guard isActive else { return }
    let silence = media - end
    // So short that what follows is not as if nothing had been before.
    if silence >= 0, silence <= Int64(reach.latency + reach.tail + reach.history) {
      return process(nil, Int(silence), emit: emit)
    }
    process(nil, reach.latency + reach.tail, emit: emit)
    processors = []
  }

  /// Ends the stretch: what is held back comes out, and the tail.
  package func finish(emit: Emit) {
    guard isActive else { return }
    process(nil, reach.latency, emit: emit)
    process(nil, reach.tail, isTail: true, emit: emit)
    processors = []
  }

  private func begin(at media: TimelineFrame) {
    processors = Self.processors(setting, format: format)
    reach = EffectReach(processors, sampleRate: format.sampleRate)
    (end, next, left) = (media, media, reach.latency)
  }

  /// Processes `count` frames, of silence where there are none.
  private func process(
    _ samples: UnsafePointer<Float>?, _ count: Int, isTail: Bool = false, emit: Emit
  ) {
    let channels = format.channelCount
    var done = 0
    while done < count {
      let frames = min(count - done, Self.maximumFrames)
      if let samples {
        block.update(from: samples + done * channels, count: frames * channels)
      } else {
        block.update(repeating: 0, count: frames * channels)
      }
      for processor in processors { processor.process(block, frameCount: frames) }
      done += frames
      end += frames
      let late = min(left, frames)
      left -= late
      guard late < frames else { continue }
      let out = UnsafeBufferPointer(
        start: block + late * channels, count: (frames - late) * channels)
      emit(out, next, isTail)
      next += frames - late
    }
  }
}
