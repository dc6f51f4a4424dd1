// SPDX-License-Identifier: Apache-2.0

package import SampleBuffers
package import SoundFiles

/// The source of an item's frames: a file, or a source that misbehaves on purpose.
///
/// Used by one decoder thread at a time. Any call may block for as long as it likes; the serializer
/// gives up on it.
package protocol FrameSource: AnyObject {
  /// The format of the next frames.
  var format: AudioFormat { get }
  /// All heard frames, exactly; nil when honestly unknown, or not known yet.
  var frameCount: Int64? { get }
  /// Search for the number of frames, if only reading the whole file tells it.
  var lengthSearch: LengthSearch? { get }
  /// Tags of the file.
  var tags: Tags { get }
  /// The parts that the file names, by its time.
  var chapters: [Chapter] { get }
  /// Reason for which the end came early, once it has.
  var truncation: SoundFileError? { get }
  /// True where parts that are read by several sources, each from a frame on, are equal to the whole read
  /// by one.
  var canBeReadInParts: Bool { get }
  /// Makes the rest ready to be used; called once, before anything else.
  func open() throws
  /// Makes `frame` the next one.
  func seek(to frame: Int64) throws
  /// Up to `frames` frames; nil at the end.
  ///
  /// - Throws: `SourceIsWaiting` where there are none yet; the call may then be repeated.
  func read(frames: Int) throws -> Chunk?
  /// The changes of `tags` among the frames that have been read since they were taken last.
  func takeTagChanges() -> [TagChange]
  /// The call under way is to return soon; any thread.
  func cancel()
}

extension FrameSource {
  package var canBeReadInParts: Bool { false }
  package func open() throws {}
  package func cancel() {}
  package func takeTagChanges() -> [TagChange] { [] }
  package var lengthSearch: LengthSearch? { nil }
  package var chapters: [Chapter] { [] }
}

extension FrameSource {
  /// The next frames as an `AudioSourceReader` brings them, all of `format`; errors call the source `name`.
  package func read(
    into samples: UnsafeMutableBufferPointer<Float>, as format: AudioFormat, name: String
  ) throws -> AudioRead {
    do {
      guard let chunk = try read(frames: samples.count / format.channelCount) else {
        if let truncation { throw truncation }
        return .end
      }
      guard chunk.format == format else {
        throw SoundFileError(
          .unsupported, path: name, call: "read",
          cause: "its format changes to \(chunk.format), which a reader cannot")
      }
      samples.baseAddress!.update(
        from: chunk.storage.samples, count: chunk.frameCount * format.channelCount)
      return .frames(chunk.frameCount)
    } catch let error as SourceIsWaiting {
      return .wait(error.wait)
    }
  }
}

extension SoundFile: FrameSource {
  /// Lossy decoders carry over from what lies before what no seek restores to the last bit.
  package var canBeReadInParts: Bool {
    if case .lossy = fileFormat.encoding { false } else { frameCount != nil }
  }
}

/// A source that the engine reads without a reader in between: its format may change.
package protocol FrameSourceMaking: AudioSource {
  /// Returns the source of an item's frames, not open yet.
  func frameSource(pool: FramePool) -> any FrameSource
}
