// SPDX-License-Identifier: Apache-2.0

import CLibAV
import DecodeMessages

/// Reads the heard frames of one file, from any of them on.
final class FrameReader {
  let description: StreamDescription
  /// Frames of the first packet.
  let firstPacket: Int
  /// Number of packets or frames that could not be decoded.
  private(set) var damages = 0
  /// Heard frames of the file; found at the end where nothing else tells them.
  private(set) var frameCount: Int64?

  private let file: OpenFile
  private var demuxer: Demuxer
  private var decoder: PacketDecoder
  private let traits: CodecTraits
  private let times: FrameTimes
  /// Decoded frames that are not heard.
  private let priming: Int64
  /// Decoded frame number of the first one beyond those heard.
  private let end: Int64
  /// Number of the frame that is decoded next, from the first one decoded.
  private var next: Int64 = 0
  /// Frames before this one are not wanted.
  private var wanted: Int64
  private var isAtEnd = false
  /// Something was damaged since the last frames: what is missing is to be found by their time.
  private var isMissing = false
  /// The number that the first frames after a seek have is told by their time.
  private var isLost = false
  /// That number.
  private var landing: Int64 = 0
  private var hasOneFormat = true
  /// Times do not go on by what is decoded: parts were put behind each other.
  private var hasJumps: Bool
  /// The decoder's frames, which are of another format than the samples that are to be given first.
  private var pending: DecodedFrame?
  private var format: WireFormat
  /// The format that the last reply told.
  private var told: WireFormat
  /// Decoded and wanted, of `format`.
  private var samples: [Float] = []
  /// Frames of them that have been given.
  private var taken = 0
  /// Behind the last packet that has been decoded.
  private var place: Int64?
  /// Why there is no more of it.
  private var failure: DecodeFailure?

  /// Opens a file and decodes its first frames.
  init(_ file: OpenFile) throws(DecodeFailure) {
    self.file = file
    demuxer = try Demuxer(file)
    decoder = try PacketDecoder(demuxer)
    let code = demuxer.parameters.codec_id
    traits = CodecTraits(of: demuxer.parameters)
    let (first, packetTime) = try Self.decodeFirst(demuxer, decoder)
    let grid = traits.grid(firstPacket: first.count)
    let isEven =
      grid == nil
      || demuxer.hasEvenTable(packet: first.count, sampleRate: first.format.sampleRate)
    hasJumps = !isEven
    let hasWholeTable = isEven && file.shown.supply != .askedInParts
    let trim = Trim(of: demuxer, first: first, packetTime: packetTime, isEven: hasWholeTable)
    let base = demuxer.stream.pointee.time_base
    times = FrameTimes(
      numerator: Int64(base.num), denominator: Int64(base.den),
      sampleRate: first.format.sampleRate, first: packetTime ?? first.time ?? 0,
      grid: grid)
    priming = trim.priming ?? 0
    end = trim.count.map { (trim.priming ?? 0) + $0 } ?? .max
    firstPacket = first.count
    (format, told, wanted, frameCount) = (first.format, first.format, priming, trim.count)
    description = StreamDescription(
      container: demuxer.containerName, codec: PacketDecoder.name(of: code),
      profile: decoder.profile, bitRate: demuxer.bitRate, format: first.format,
      bits: CodecTraits.isLossless(code) ? decoder.bits : 0, isFloat: decoder.isFloat,
      frameCount: trim.count, lengthSource: trim.source, priming: trim.priming,
      chapterCount: demuxer.chapterCount, tags: demuxer.tags)
    place = demuxer.place
    try take(first)
  }

  private static func decodeFirst(
    _ demuxer: Demuxer, _ decoder: PacketDecoder
  ) throws(DecodeFailure) -> (DecodedFrame, packetTime: Int64?) {
    var (time, bad): (Int64?, Int) = (nil, 0)
    while true {
      switch try decoder.receive() {
      case .frames: return (DecodedFrame(decoder.frame), time)
      case .end:
        throw DecodeFailure(
          bad > 0 ? .broken : .empty, call: "avcodec_receive_frame",
          cause: bad > 0 ? "no packet of it can be decoded" : "a header without frames")
      case .damage: bad += 1
      case .wantsPacket:
        guard try demuxer.readPacket() else {
          _ = try decoder.send(nil)
          continue
        }
        let stamp = demuxer.packet.pointee.pts
        if time == nil, stamp != attacca_no_time { time = stamp }
        if try !decoder.send(demuxer.packet) { bad += 1 }
      }
    }
  }

  /// Chapters from a number on, as many as one reply holds.
  func chapters(from number: Int) -> [ToldChapter] { demuxer.chapters(from: number) }

  // MARK: Decoding

  private var available: Int { samples.count / format.channelCount - taken }

  /// Makes a step towards the next frames.
  private func advance() throws(DecodeFailure) {
    switch try decoder.receive() {
    case .frames: try take(DecodedFrame(decoder.frame))
    case .end: noteEnd()
    case .damage: noteDamage()
    case .wantsPacket:
      Work.begins()
      if try demuxer.readPacket() {
        place = demuxer.place
        if try !decoder.send(demuxer.packet) { noteDamage() }
      } else {
        _ = try decoder.send(nil)
      }
    }
  }

  private func noteDamage() {
    // Behind a seek decoding begins in the middle of what the code remembers: that is no damage.
    if !isLost, next >= wanted { damages += 1 }
    isMissing = true
  }

  private func noteEnd() {
    isAtEnd = true
    if frameCount == nil, hasOneFormat, !isLost { frameCount = max(0, next - priming) }
  }

  /// Takes what is wanted of the decoder's frames.
  private func take(_ decoded: DecodedFrame) throws(DecodeFailure) {
    guard decoded.count > 0, decoded.format.channelCount > 0 else { return }
    if isLost {
      guard let found = decoded.time.flatMap(times.frame) else { return noteDamage() }
      (next, landing, isLost) = (found, found, false)
    } else if let found = decoded.time.flatMap(times.frame) {
      if isMissing, found > next {
        fill(upTo: found)
      } else if abs(found - next) > Int64(firstPacket) {
        hasJumps = true
      }
    }
    isMissing = false
    if decoded.format != format {
      guard available == 0 else {
        pending = decoded
        return
      }
      hasOneFormat = false
      (samples, taken, format) = ([], 0, decoded.format)
    }
    try append(decoded)
  }

  private func append(_ decoded: DecodedFrame) throws(DecodeFailure) {
    // Where no table tells the end, the container does, of the last frames.
    let cut = end == .max ? min(max(decoded.skipped.end, beyondTable(decoded)), decoded.count) : 0
    let begin = next
    next += Int64(decoded.count - cut)
    let last = min(next, end)
    if last > wanted {
      drop()
      let range = Int(max(0, wanted - begin))..<Int(last - begin)
      guard SampleWriter.append(decoder.frame, range, to: &samples) else {
        throw DecodeFailure(
          .unsupported, call: "av_get_packed_sample_fmt",
          cause: "samples of an unknown kind, \(decoder.frame.pointee.format)")
      }
      wanted = last
    }
    if next >= end { isAtEnd = true }
  }

  /// Frames of a packet that the table does not count, of which a part has come with it: of the last one.
  private func beyondTable(_ decoded: DecodedFrame) -> Int {
    let stream = demuxer.stream.pointee
    guard file.shown.supply == .askedInParts, stream.duration > 0 else { return 0 }
    let told = av_rescale(
      stream.duration - max(0, times.first),
      Int64(stream.time_base.num) * Int64(decoded.format.sampleRate), Int64(stream.time_base.den))
    let rest = next + Int64(decoded.count) - told
    return rest > 0 && rest <= firstPacket ? Int(rest) : 0
  }

  /// Makes silence of what is missing; never of a time that is no place in this file.
  private func fill(upTo found: Int64) {
    let missing = min(found, end) - next
    guard missing > 0, missing <= 60 * Int64(format.sampleRate) else { return }
    let silent = Int(min(found, end) - max(next, wanted))
    next = found
    guard silent > 0 else { return }
    drop()
    samples += repeatElement(0, count: silent * format.channelCount)
    wanted += Int64(silent)
  }

  /// Forgets samples that have been given.
  private func drop() {
    guard taken > 0 else { return }
    samples.removeFirst(taken * format.channelCount)
    taken = 0
  }

  // MARK: Reading

  /// The next `count` frames of one format, or fewer at its end, for `body`.
  func read(_ count: Int, _ body: (FramesHeader, UnsafeRawBufferPointer) -> Void)
    throws(DecodeFailure)
  {
    if available == 0, let decoded = pending {
      pending = nil
      hasOneFormat = false
      (samples, taken, format) = ([], 0, decoded.format)
      try append(decoded)
    }
    while available == 0 || format == told && available < count {
      guard !isAtEnd, pending == nil else { break }
      do throws(DecodeFailure) {
        if let failure { throw failure }
        try advance()
      } catch {
        // What has been decoded before it is heard.
        failure = error
        guard available > 0 else { throw error }
        break
      }
    }
    let isOther = format != told
    told = format
    let given = isOther ? 0 : min(count, available)
    let header = FramesHeader(
      format: format, count: given, isAtEnd: !isOther && available == 0, damages: damages,
      frameCount: frameCount, place: place)
    let size = MemoryLayout<Float>.size * format.channelCount
    samples.withUnsafeBytes {
      body(header, UnsafeRawBufferPointer(rebasing: $0[taken * size..<(taken + given) * size]))
    }
    taken += given
  }

  // MARK: Seeking

  /// Goes to a heard frame: the next read begins with it.
  func seek(to frame: Int64) throws(DecodeFailure) {
    failure = nil
    let (target, position) = (min(frame, .max - priming) + priming, wanted - Int64(available))
    if !isAtEnd || available > 0, pending == nil, position <= target {
      if target <= wanted {
        taken += Int(target - position)
        return
      }
      if !isAtEnd, target - wanted <= traits.preroll + 16_384 {
        (samples, taken, wanted) = ([], 0, target)
        return
      }
    }
    guard target < end else {
      (samples, taken, pending, isAtEnd) = ([], 0, nil, true)
      return
    }
    var back = max(traits.preroll, 1)
    while mayJump, target > back {
      if try jump(to: target - back, wanting: target), landing <= target - back / 2 { return }
      back *= 8
    }
    demuxer = try Demuxer(file)
    decoder = try PacketDecoder(demuxer)
    begin(with: target)
    (next, isLost) = (0, false)
    if mayCount { try walk(to: target - traits.preroll) }
  }

  private var mayJump: Bool {
    times.exactness != .none && !traits.remembersAll && hasOneFormat && !mayCount && !hasJumps
      && (file.isSeekable || demuxer.hasWholeTable)
  }

  /// Whether packets need not be decoded to know which frames they hold, and nothing else tells.
  private var mayCount: Bool {
    traits.packets == .alike && hasOneFormat
      && (demuxer.isBare || hasJumps || times.exactness == .none)
  }

  /// Passes packets by from the start, up to the one of a frame.
  private func walk(to frame: Int64) throws(DecodeFailure) {
    while next + Int64(firstPacket) <= frame {
      Work.begins()
      guard try demuxer.readPacket() else { return }
      next += Int64(firstPacket)
    }
  }

  /// Goes to a packet at or before `frame`, and decodes until the number of its frames is known.
  ///
  /// - Returns: false where that is not to be found.
  private func jump(to frame: Int64, wanting target: Int64) throws(DecodeFailure) -> Bool {
    guard try demuxer.seek(to: times.time(of: frame)) else { return false }
    decoder.flush()
    begin(with: target)
    isLost = true
    while isLost, !isAtEnd { try advance() }
    return !isLost
  }

  /// Forgets what has been decoded: `target` is the first frame that is wanted of what follows.
  private func begin(with target: Int64) {
    (samples, taken, pending, isAtEnd, isMissing, wanted) = ([], 0, nil, false, false, target)
  }
}
