// SPDX-License-Identifier: Apache-2.0

import SampleBuffers
public import SoundFiles

/// Loudness written into the tags of files, without touching their sound.
public enum LoudnessTags {
  /// Writes `loudness` into the tags of the file at `path`, which decodes to `digest`; blocks.
  ///
  /// FLAC, Ogg Vorbis, Opus, MP3 and MPEG-4 files have such tags here. A copy of the file gets them, is
  /// decoded and compared, put on the disk, and takes the file's name: whenever the process or the machine is ended, the
  /// old file or the whole new one is there. It keeps rights, owner, group and extended attributes; its time is new, as
  /// those who keep lists of files go by that. A link stays one; of a file with several names the others keep the old
  /// tags. Values that `loudness` does not have stay as they are.
  ///
  /// - Parameters:
  ///   - loudness: The values; those for Opus are converted.
  ///   - path: The file.
  ///   - digest: What the file decodes to, as `FileLoudness` found out.
  ///   - proceed: Called on this thread with the seconds of each piece that is decoded; false has it stop.
  /// - Returns: False where it was stopped, and the file is as it was.
  /// - Throws: `unsupported` for other files, `unwritable`, or why the file cannot be read; it is as it was then.
  @discardableResult
  public static func write(
    _ loudness: ReplayGain, to path: BytePath, decodingTo digest: SampleDigest,
    proceed: (Double) -> Bool = { _ in true }
  ) throws(SoundFileError) -> Bool {
    let format = try SoundFile(path: path, pool: FramePool()).fileFormat
    guard let kind = TagKind(format) else {
      throw SoundFileError(
        .unsupported, path: path.text, call: "LoudnessTags.write",
        cause: "loudness is not written into \(format) files")
    }
    let file = try PartialFile(path: path, overwrite: true)
    try FileCopy(of: path).write(to: file)
    try TagProgram(for: path).set(kind.entries(loudness), kind, of: file)
    guard try isSound(file, path, loudness, digest, proceed) else { return false }
    try file.publish()
    return true
  }

  /// Tells whether the copy has the tags and decodes to the same; a disk that was full has been told by nobody.
  ///
  /// - Returns: False where it was stopped.
  private static func isSound(
    _ file: PartialFile, _ path: BytePath, _ loudness: ReplayGain, _ digest: SampleDigest,
    _ proceed: (Double) -> Bool
  ) throws(SoundFileError) -> Bool {
    let copy: FileLoudness.Decoded?
    do throws(SoundFileError) {
      copy = try FileLoudness.decode(
        BytePath("/proc/self/fd/\(file.descriptor)"), proceed: proceed)
    } catch {
      throw refused(path, "with the new tags it could not be read: \(error.cause)")
    }
    guard let copy else { return false }
    guard copy.digest == digest else {
      throw refused(path, "it is not what was measured, or would not be with the new tags")
    }
    let found = copy.tags.replayGain
    for (wanted, found) in [(loudness.track, found.track), (loudness.album, found.album)] {
      guard let wanted else { continue }
      guard let found, abs(found.gain - wanted.gain) < 0.01 else {
        throw refused(path, "the new tags are not read back from it")
      }
    }
    return true
  }

  private static func refused(_ path: BytePath, _ cause: String) -> SoundFileError {
    SoundFileError(.unwritable, path: path.text, call: "LoudnessTags.write", cause: cause)
  }
}
