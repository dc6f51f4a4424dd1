// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers
import SoundFiles

#if canImport(TestSeeds)
  import TestSeeds
#endif

/// Opens bytes as a sound file, reads it to its end, seeks in it, and holds it to what `SoundFile`
/// promises of any file.
struct SoundFileCheck {
  private let scratch: ScratchFile
  private let size: Int
  private let file: SoundFile
  private var numbers: SplitMix64

  /// Frames that were read from start to end, up to `keptFrames` of the first format.
  private var kept: [Float] = []
  private var framesRead = 0
  /// How the reading ended.
  private var end = End.limit

  private enum End { case limit, nothingLeft, error }

  /// Frames that are read of a file: eleven bytes of FLAC may hold 65,535.
  private static let frameLimit = 400_000
  private static let keptFrames = 100_000

  /// Checks everything.
  ///
  /// - Throws: a `Finding`.
  static func run(_ bytes: [UInt8]) throws {
    guard var check = try SoundFileCheck(bytes) else { return }
    try check.readThrough()
    try check.seekAround()
  }

  /// `nil` where the file is refused with good reason.
  private init?(_ bytes: [UInt8]) throws {
    scratch = ScratchFile(bytes)
    size = bytes.count
    // The bytes decide on what is random.
    numbers = SplitMix64(
      seed: bytes.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 })
    let path = scratch.path
    do {
      file = try StepTime.bounded("open") { try SoundFile(path: path, pool: FramePool()) }
    } catch let error as SoundFileError {
      try Self.judge(
        error, path: path,
        kinds: [.empty, .notAudio, .unsupported, .absurdHeader, .broken, .truncated])
      return nil
    }
    try Finding.unless(
      (AudioFormat.lowestSourceRate...AudioFormat.highestSampleRate)
        .contains(file.format.sampleRate), "opened with \(file.format)")
    if let count = file.frameCount {
      // The beginning of an MP3 may promise what 4 GiB would hold.
      let most = file.fileFormat.container == .mpeg ? 1 << 38 : Int64(size + 1) * 8192
      try Finding.unless(count > 0 && count <= most, "\(count) frames in \(size) bytes")
    }
    let text = file.tags.names.reduce(0) { sum, name in
      file.tags[name].reduce(sum + name.rawValue.utf8.count) { $0 + $1.utf8.count }
    }
    try Finding.unless(text <= 16 * size + 1024, "\(text) bytes of tags in \(size)")
    try Self.judge(file.chapters, size: size)
    try judgePictures()
  }

  private static func judge(
    _ error: SoundFileError, path: String, kinds: Set<SoundFileError.Kind>
  ) throws(Finding) {
    try Finding.unless(kinds.contains(error.kind), "an error of another kind: \(error)")
    try Finding.unless(
      error.path == path && !error.cause.isEmpty && !error.call.isEmpty
        && error.description.hasPrefix(path), "an error that does not tell: \(error)")
  }

  /// Places in order, each of which is one in a file.
  private static func judge(_ chapters: [Chapter], size: Int) throws(Finding) {
    let all = chapters.flattened
    try Finding.unless(all.count <= size, "\(all.count) chapters in \(size) bytes")
    for chapter in all {
      try Finding.unless(
        chapter.start.isNumeric && chapter.start.value >= 0 && chapter.end?.isNumeric ?? true,
        "a chapter at \(chapter.start)")
    }
    for list in [chapters] + all.map(\.chapters) {
      let isInOrder = zip(list, list.dropFirst()).allSatisfy { $0.start <= $1.start }
      try Finding.unless(isInOrder, "chapters out of order")
    }
  }

  /// Each is as long as it says, or the file ends before.
  private func judgePictures() throws {
    let pictures: [Picture]
    do {
      pictures = try StepTime.bounded("pictures") { try file.pictures() }
    } catch let error as SoundFileError {
      throw Finding("pictures are refused: \(error)")
    }
    for picture in pictures {
      try Finding.unless(
        picture.byteCount > 0 && picture.byteCount <= size, "\(picture.byteCount) bytes of \(size)")
      let bytes = try StepTime.bounded("bytes") { try file.bytes(of: picture) }
      try Finding.unless(bytes.count <= picture.byteCount, "\(bytes.count) of \(picture.byteCount)")
    }
  }

  /// - Returns: `nil` at the end.
  private mutating func read(_ frames: Int) throws -> Chunk? {
    let chunk = try StepTime.bounded("a read of \(frames)") { try file.read(frames: frames) }
    guard let chunk else { return nil }
    try Finding.unless(
      (1...frames).contains(chunk.frameCount), "\(chunk.frameCount) of \(frames) frames")
    if case .float = file.fileFormat.encoding { return chunk }
    for i in 0..<chunk.frameCount * chunk.format.channelCount {
      let sample = chunk.storage.samples[i]
      try Finding.unless(sample.isFinite, "\(sample) out of \(file.fileFormat)")
    }
    return chunk
  }

  private mutating func readThrough() throws {
    let promised = file.frameCount
    // Odd sizes straddle the decoders' own; a step of one frame makes the most of its calls.
    let step = [1, 3, 577, 1009, 4096, 9601].randomElement(using: &numbers)!
    let limit = min(Self.frameLimit, step * 10_000)
    let format = file.format
    var last: Chunk?
    do {
      while framesRead < limit {
        guard let chunk = try read(step) else {
          end = .nothingLeft
          break
        }
        // Between two links of one format may be an empty one of another.
        let isChained = file.fileFormat.container == .ogg && file.frameCount == nil
        if let last, last.format == chunk.format, !isChained {
          try Finding.unless(
            last.frameCount == step, "\(last.frameCount) of \(step) frames, and more came")
        }
        if chunk.format == format, framesRead < Self.keptFrames {
          kept.append(
            contentsOf: UnsafeBufferPointer(
              start: chunk.storage.samples, count: chunk.frameCount * format.channelCount))
        }
        framesRead += chunk.frameCount
        last = chunk
      }
    } catch let error as SoundFileError {
      try Self.judge(error, path: file.path, kinds: [.broken])
      end = .error
    }
    guard let count = file.frameCount else { return }
    try Finding.unless(framesRead <= count, "\(framesRead) frames of \(count)")
    guard end == .nothingLeft else { return }
    try Finding.unless(framesRead == count, "\(framesRead) frames of \(count), and no more")
    if let promised, promised != count {
      try Finding.unless(
        file.truncation?.kind == .truncated, "\(count) frames instead of \(promised), untold")
    }
    try Finding.unless(try read(step) == nil, "frames behind the end")
  }

  private mutating func seekAround() throws {
    for _ in 0..<5 {
      let target = Int.random(in: 0...framesRead + 10, using: &numbers)
      guard try seek(to: Int64(target)) else { continue }
      try compare(from: target)
    }
    if try seek(to: 1 << 40), file.frameCount != nil {
      do {
        // What turns out to be longer than was thought has no length from then on.
        let isNothing = try read(10) == nil
        try Finding.unless(
          isNothing || file.frameCount == nil, "frames behind the end, after a seek there")
      } catch let error as SoundFileError {
        try Self.judge(error, path: file.path, kinds: [.broken])
      }
    }
  }

  /// - Returns: whether the file could.
  private func seek(to frame: Int64) throws -> Bool {
    do {
      try StepTime.bounded("a seek to \(frame)") { try file.seek(to: frame) }
      return true
    } catch let error as SoundFileError {
      try Self.judge(error, path: file.path, kinds: [.broken])
      return false
    }
  }

  /// Whether decoding depends on nothing but the bytes of the frame.
  private var isSimple: Bool {
    switch file.fileFormat.encoding {
    // What FLAC has lost is silent as far as its blocks tell: after a seek, others do.
    case .integer: ![.flac, .ogg].contains(file.fileFormat.container)
    case .float: true
    case .lossy: false
    }
  }

  private mutating func compare(from target: Int) throws {
    let wanted = 300
    let chunk: Chunk?
    do {
      chunk = try read(wanted)
    } catch let error as SoundFileError {
      return try Self.judge(error, path: file.path, kinds: [.broken])
    }
    let count = chunk?.frameCount ?? 0
    // Where libvorbis and libmpg123 leave damage out, a seek counts it and a straight read does not.
    let isCounted = ![.lossy("Vorbis"), .lossy("MP3"), .lossy("MP2")]
      .contains(file.fileFormat.encoding)
    if let total = file.frameCount, isCounted || file.truncation == nil {
      try Finding.unless(
        target + count <= max(total, Int64(target)),
        "\(count) frames from \(target) on, of \(total)")
    }
    guard isSimple, end != .limit || target + wanted <= framesRead else { return }
    let expected = max(0, min(wanted, framesRead - target))
    try Finding.unless(
      count == expected, "\(count) frames from \(target) on after a seek, \(expected) before")
    guard let chunk else { return }
    let channels = chunk.format.channelCount
    for i in 0..<count * channels where target * channels + i < kept.count {
      try Finding.unless(
        chunk.storage.samples[i].bitPattern == kept[target * channels + i].bitPattern,
        "frame \(target + i / channels) is another after a seek")
    }
  }
}
