// SPDX-License-Identifier: Apache-2.0

import MediaTime

// The render path.
extension RenderLine {
  /// Renders `frames` stream frames from `frame` on: content times gain, silence where there is
  /// none.
  ///
  /// Called on the output's thread with its lock held. It may read this line's memory and write
  /// `target`, and nothing else: it neither allocates, locks, retains, logs nor calls out.
  ///
  /// `target` has room for `frames` interleaved frames in the device's format.
  @_noLocks @_noAllocation
  func render(from frame: StreamFrame, frames: Int, into target: UnsafeMutablePointer<Float>) {
    let channels = ring.channelCount
    var done = 0
    while done < frames {
      let at = frame &+ Int64(done)
      let piece = ring.run(at: at, atMost: frames - done)
      let fade = gains.fades.run(at: at, atMost: piece.frames)
      let gain = gains.volume.run(at: at, atMost: fade.frames)
      let item = contentGains.run(at: at, atMost: gain.frames)
      let line = timelineVolume(at: at, atMost: item.frames)
      let out = target + done * channels
      let count = line.frames * channels
      if let source = piece.start {
        if gain.step == 0 && fade.step == 0 && item.step == 0 && line.step == 0 {
          let product = gain.from * fade.from * item.from * line.from
          if product == 1 {
            for i in 0..<count { out[i] = source[i] }
          } else {
            for i in 0..<count { out[i] = source[i] * product }
          }
        } else {
          multiply(source, frames: line.frames, by: gain, fade, item, line, into: out)
        }
      } else {
        for i in 0..<count { out[i] = 0 }
      }
      done += line.frames
    }
  }

  /// Writes `frames` frames of `source` at the gains of four runs, one of which changes.
  ///
  /// Mostly it is one alone: what it is multiplied by is then the same for all frames.
  @_noLocks @_noAllocation @inline(__always)
  private func multiply(
    _ source: UnsafePointer<Float>, frames: Int, by gain: GainMap.Run, _ fade: GainMap.Run,
    _ item: GainMap.Run, _ line: GainMap.Run, into out: UnsafeMutablePointer<Float>
  ) {
    if fade.step == 0 && item.step == 0 && line.step == 0 {
      let factor = fade.from * item.from * line.from
      multiply(source, frames: frames, by: gain, times: factor, into: out)
    } else if gain.step == 0 && item.step == 0 && line.step == 0 {
      let factor = gain.from * item.from * line.from
      multiply(source, frames: frames, by: fade, times: factor, into: out)
    } else if gain.step == 0 && fade.step == 0 && line.step == 0 {
      let factor = gain.from * fade.from * line.from
      multiply(source, frames: frames, by: item, times: factor, into: out)
    } else if gain.step == 0 && fade.step == 0 && item.step == 0 {
      let factor = gain.from * fade.from * item.from
      multiply(source, frames: frames, by: line, times: factor, into: out)
    } else {
      let channels = ring.channelCount
      for n in 0..<frames {
        let product = gain[n] * fade[n] * item[n] * line[n]
        let first = n &* channels
        for i in first..<(first &+ channels) { out[i] = source[i] * product }
      }
    }
  }

  /// Writes `frames` frames of `source` at the gains of `run`, times `factor`.
  @_noLocks @_noAllocation
  private func multiply(
    _ source: UnsafePointer<Float>, frames: Int, by run: GainMap.Run, times factor: Float,
    into out: UnsafeMutablePointer<Float>
  ) {
    let channels = ring.channelCount
    if channels == 2 {
      for n in 0..<frames {
        let product = run[n] * factor
        out[2 &* n] = source[2 &* n] * product
        out[2 &* n &+ 1] = source[2 &* n &+ 1] * product
      }
    } else {
      for n in 0..<frames {
        let product = run[n] * factor
        let first = n &* channels
        for i in first..<(first &+ channels) { out[i] = source[i] * product }
      }
    }
  }

  /// The timeline's volume from `frame` on, at most `frames` frames; 1 where it is in the content already.
  @_noLocks @_noAllocation
  private func timelineVolume(at frame: StreamFrame, atMost frames: Int) -> GainMap.Run {
    if volumes.isUnity || contentGains.isMixed(at: frame) {
      return GainMap.Run(frames: frames, from: 1, step: 0, since: 0)
    }
    return volumes.run(at: frame, atMost: frames, in: map)
  }
}
