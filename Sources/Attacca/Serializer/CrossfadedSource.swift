// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MediaTime
import Rendering
import SampleBuffers
import SoundFiles

/// The frames of an item in the direction in which it is played, its ends mixed with the items that it overlaps.
///
/// What is mixed has all gains of the items in it. In memory at a time is what is read at a time.
final class CrossfadedSource: WrappingSource {
  let source: any FrameSource
  private let pool = FramePool()
  /// The next frame.
  private var position: Int64
  /// Frames that have been read and wait for the other item's frames.
  private var held: Chunk?
  /// Reason for a source not read up to its end; where it overlaps the next item, silence is in its place.
  private(set) var failure: (any Error)?
  /// Guards `entry` and `exit`, whose items another thread may cancel.
  private let semaphore = DispatchSemaphore(value: 1)
  private var entry: OverlapMix?
  private var exit: OverlapMix?

  /// The frames of `source`, which is at frame `position`.
  init(_ source: any FrameSource, at position: Int64) {
    (self.source, self.position) = (source, position)
  }

  /// Its beginning is mixed with the item before it.
  func enter(_ mix: OverlapMix) { semaphore.withLock { entry = mix } }

  /// Its end is mixed with the item behind it.
  func leave(_ mix: OverlapMix) { semaphore.withLock { exit = mix } }

  func seek(to frame: Int64) throws {
    try source.seek(to: frame)
    (position, held, failure) = (frame, nil, nil)
  }

  func read(frames: Int) throws -> Chunk? {
    let edges = [entry?.frames.upperBound, exit?.frames.lowerBound].compactMap(\.self)
    let room = edges.filter { $0 > position }.map { Int(clamping: $0 - position) }.min() ?? .max
    guard let chunk = try held ?? next(min(frames, room)) ?? rest(frames) else {
      if let failure { throw failure }
      return nil
    }
    held = chunk
    let mixed = try mix(chunk)
    held = nil
    position += Int64(chunk.frameCount)
    if let entry, entry.frames.upperBound <= position {
      // The other item's file is closed when nothing is locked.
      semaphore.withLock { self.entry = nil }
    }
    return mixed
  }

  /// The source's next frames; nil behind the last one that can be read.
  private func next(_ frames: Int) throws -> Chunk? {
    guard failure == nil else { return nil }
    do {
      return try source.read(frames: frames)
    } catch let error as SourceIsWaiting {
      throw error
    } catch {
      guard let exit, exit.frames.contains(position) else { throw error }
      failure = error
      return nil
    }
  }

  /// Silence in place of what a file lacks that ends earlier than it says: what enters was begun by that.
  private func rest(_ frames: Int) -> Chunk? {
    guard let exit, exit.frames.contains(position) else { return nil }
    let count = Int(min(Int64(frames), exit.frames.upperBound - position))
    let storage = pool.take(samples: count * format.channelCount)
    storage.samples.update(repeating: 0, count: count * format.channelCount)
    return Chunk(storage: storage, frameCount: count, format: format)
  }

  private func mix(_ chunk: Chunk) throws -> Chunk {
    let mixes = [entry, exit].compactMap(\.self)
    // A stream that goes on at another rate is another one: it is not mixed.
    guard let mix = mixes.first(where: { $0.frames.contains(position) }),
      chunk.format.sampleRate == format.sampleRate
    else { return chunk }
    return try mix.mix(chunk, at: position, pool: pool)
  }

  func cancel() {
    source.cancel()
    let mixes = semaphore.withLock { [entry, exit] }
    for mix in mixes { mix?.voice.cancel() }
  }
}
