// SPDX-License-Identifier: Apache-2.0

public import SampleBuffers
public import SoundFiles

/// The frames of an open source, from a position on.
///
/// Used by one thread of the engine at a time, never by the one that renders: a call may block, and after
/// `waitingLimit` without an answer the item has failed. `cancel` alone may come beside another call.
public protocol AudioSourceReader: AnyObject {
  /// Rate and speakers of all frames.
  var format: AudioFormat { get }

  /// Number of all frames, exactly; nil where that is not known.
  var frameCount: Int64? { get }

  /// Title and the like, for displays.
  var tags: Tags { get }

  /// The parts that it names, by its own time; for displays and for jumps.
  var chapters: [Chapter] { get }

  /// True where parts that several readers read, each from a frame on, are equal to the whole read by one.
  ///
  /// Rendering without a player then reads on all cores.
  var canBeReadInParts: Bool { get }

  /// Makes `frame` the next one to be read; 0 is the first. Past the end is the end.
  ///
  /// - Throws: Where there is no way to it; the item is not played further.
  func seek(to frame: Int64) throws

  /// Writes the next frames, interleaved, to the beginning of `samples`, which holds whole frames.
  ///
  /// - Returns: The number of frames written, 1 or more, or why there are none.
  /// - Throws: Why the item cannot be played further.
  func read(into samples: UnsafeMutableBufferPointer<Float>) throws -> AudioRead

  /// The call under way is to return soon, as nobody wants what it brings; any thread.
  func cancel()
}

extension AudioSourceReader {
  /// The tags of a reader that has none.
  public var tags: Tags { Tags() }
  /// The chapters of a reader that has none.
  public var chapters: [Chapter] { [] }
  /// False: a reader that carries something over from frame to frame need not say so.
  public var canBeReadInParts: Bool { false }
  /// Does nothing.
  public func cancel() {}
}
