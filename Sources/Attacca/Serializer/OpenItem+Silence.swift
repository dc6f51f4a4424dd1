// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers
import SoundFiles

// Reading where silences are shortened; on the decoder thread.
extension OpenItem {
  /// The outcome of asking for the next buffer.
  enum Next {
    case buffer(SampleBuffer)
    /// What was read is silence, of which nothing is heard: more has to be read.
    case more
    /// The item is over.
    case end
  }

  /// The end of what can be read.
  enum Ending {
    /// There is more to be read.
    case open
    case ended
    case failed(any Error)
  }

  /// The next frames that are heard.
  ///
  /// Ten seconds are read at most: whoever waits for a thread that reads hours of silence would take it for one that
  /// hangs.
  func next(
    of skipper: SilenceSkipper, duration: RationalTime, atMost most: Int64?
  ) throws -> Next {
    var room = min(most ?? .max, Int64(10 * source.format.sampleRate))
    while true {
      while let part = skipper.popFirst() {
        if let buffer = heard(part) { return .buffer(buffer) }
      }
      switch ending {
      case .open: break
      case .ended: return .end
      case .failed(let error): throw error
      }
      guard room > 0 else { return .more }
      do {
        guard let wanted = try framesToRead(duration, atMost: room),
          let chunk = try source.read(frames: wanted)
        else {
          skipper.finish()
          ending = .ended
          continue
        }
        skipper.push(chunk)
        advance(by: chunk.frameCount, rate: chunk.format.sampleRate)
        room -= Int64(chunk.frameCount)
      } catch let error as SourceIsWaiting {
        throw error
      } catch {
        // What was held back is heard all the same.
        skipper.finish()
        ending = .failed(error)
      }
    }
  }

  /// The part as a buffer, behind what was heard before it; nil where all of it lies in front of what is to be heard.
  private func heard(_ part: SilenceSkipper.Part) -> SampleBuffer? {
    let (chunk, format) = (part.chunk, part.chunk.format)
    func frames(_ time: RationalTime) -> Int { Int(time.frames(at: format.sampleRate)) }
    let samples = UnsafeBufferPointer(
      start: chunk.storage.samples, count: chunk.frameCount * format.channelCount)
    guard part.end > shown else {
      // A stream that goes on in another format has no history.
      if format != source.format { past = [] }
      let old = max(0, frames(pastBegin - part.begin))
      if old < chunk.frameCount { past += samples[(old * format.channelCount)...] }
      return nil
    }
    if part.begin > shown {
      let silence = part.behind ?? SkippedParts.Silence(begin: shown, end: part.begin)
      skips.add(from: shown, to: part.begin, of: silence)
      newSkips.append(skips.parts[skips.parts.count - 1])
      shown = part.begin
    }
    skips.openSilence = part.openSilence
    // Frames of the part that are history, too.
    let lead = max(0, frames(shown - part.begin))
    let buffer: SampleBuffer
    if past.isEmpty || format != source.format {
      buffer = SampleBuffer(
        storage: chunk.storage, format: format, frameCount: chunk.frameCount, time: end,
        trimAtStart: lead)
    } else {
      let before = past.count / format.channelCount
      let storage = FrameStorage(capacity: past.count + samples.count)
      _ = UnsafeMutableBufferPointer(start: storage.samples, count: past.count)
        .update(fromContentsOf: past)
      (storage.samples + past.count).update(from: chunk.storage.samples, count: samples.count)
      buffer = SampleBuffer(
        storage: storage, format: format, frameCount: before + chunk.frameCount, time: end,
        trimAtStart: before + lead)
      past = []
    }
    shown = part.end
    return buffer
  }

  /// The parts that have been left out since this was asked last.
  func takeNewSkips() -> [SkippedParts.Part] {
    defer { newSkips = [] }
    return newSkips
  }
}
