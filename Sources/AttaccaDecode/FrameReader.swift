// SPDX-License-Identifier: Apache-2.0

import CLibAV
import DecodeMessages

/// Reads the heard frames of one file, from any of them on.
final class FrameReader {
  private enum Course {
    /// More may come.
    case decoding
    /// All that is heard has been decoded.
    case ended
    /// There is no more of it, for a reason that is told behind what has been decoded.
    case failed(DecodeFailure)
  }

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
  private var numbers: FrameNumbering
  /// Numbers of the decoded frames that are heard.
  private let heard: Range<Int64>
  /// Frames before this one are not wanted.
  private var wanted: Int64
  private var course = Course.decoding
  /// The decoder's frames, which are of another format than the samples that are to be given first.
  private var pending: DecodedFrame?
  /// Decoded and wanted.
  private var samples: DecodedSamples
  /// Behind the last packet that has been decoded.
  private var place: Int64?

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
    let hasWholeTable = isEven && file.shown.supply != .askedInParts
    let trim = Trim(of: demuxer, first: first, packetTime: packetTime, isEven: hasWholeTable)
    let base = demuxer.stream.pointee.time_base
    let times = FrameTimes(
      numerator: Int64(base.num), denominator: Int64(base.den),
      sampleRate: first.format.sampleRate, first: packetTime ?? first.time ?? 0,
      grid: grid)
    numbers = FrameNumbering(times: times, firstPacket: first.count, hasJumps: !isEven)
    samples = DecodedSamples(format: first.format)
    let priming = trim.priming ?? 0
    heard = priming..<(trim.count.map { max(priming, priming + $0) } ?? .max)
    firstPacket = first.count
    (wanted, frameCount) = (priming, trim.count)
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

  private var isAtEnd: Bool {
    switch course {
    case .ended: true
    case .decoding, .failed: false
    }
  }

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
    if !numbers.isLost, numbers.next >= wanted { damages += 1 }
    numbers.noteDamage()
  }

  private func noteEnd() {
    course = .ended
    if frameCount == nil, samples.hasOneFormat, !numbers.isLost {
      frameCount = max(0, numbers.next - heard.lowerBound)
    }
  }

  /// Takes what is wanted of the decoder's frames.
  private func take(_ decoded: DecodedFrame) throws(DecodeFailure) {
    guard decoded.count > 0, decoded.format.channelCount > 0 else { return }
    switch numbers.place(at: decoded.time) {
    case .unknown: return noteDamage()
    case .behindGap(let number): fill(upTo: number)
    case .next: break
    }
    if decoded.format != samples.format {
      guard samples.available == 0 else {
        pending = decoded
        return
      }
      samples.begin(decoded.format)
    }
    try append(decoded)
  }

  private func append(_ decoded: DecodedFrame) throws(DecodeFailure) {
    // Where no table tells the end, the container does, of the last frames.
    let isOpen = heard.upperBound == .max
    let cut = isOpen ? min(max(decoded.skipped.end, beyondTable(decoded)), decoded.count) : 0
    let begin = numbers.next
    numbers.advance(by: Int64(decoded.count - cut))
    let last = min(numbers.next, heard.upperBound)
    if last > wanted {
      let range = Int(max(0, wanted - begin))..<Int(last - begin)
      guard samples.append(decoder.frame, range) else {
        throw DecodeFailure(
          .unsupported, call: "av_get_packed_sample_fmt",
          cause: "samples of an unknown kind, \(decoder.frame.pointee.format)")
      }
      wanted = last
    }
    if numbers.next >= heard.upperBound { course = .ended }
  }

  /// Frames of a packet that the table does not count, of which a part has come with it: of the last one.
  private func beyondTable(_ decoded: DecodedFrame) -> Int {
    let stream = demuxer.stream.pointee
    guard file.shown.supply == .askedInParts, stream.duration > 0 else { return 0 }
    let told = av_rescale(
      stream.duration - max(0, numbers.times.first),
      Int64(stream.time_base.num) * Int64(decoded.format.sampleRate), Int64(stream.time_base.den))
    let rest = numbers.next + Int64(decoded.count) - told
    return rest > 0 && rest <= firstPacket ? Int(rest) : 0
  }

  /// Makes silence of what is missing; never of a time that is no place in this file.
  private func fill(upTo found: Int64) {
    let missing = min(found, heard.upperBound) - numbers.next
    guard missing > 0, missing <= 60 * Int64(samples.format.sampleRate) else { return }
    let silent = Int(min(found, heard.upperBound) - max(numbers.next, wanted))
    numbers.skipGap(upTo: found)
    guard silent > 0 else { return }
    samples.appendSilence(frames: silent)
    wanted += Int64(silent)
  }

  // MARK: Reading

  /// The next `count` frames of one format, or fewer at its end, for `body`.
  func read(_ count: Int, _ body: (FramesHeader, UnsafeRawBufferPointer) -> Void)
    throws(DecodeFailure)
  {
    if samples.available == 0, let decoded = pending {
      pending = nil
      samples.begin(decoded.format)
      try append(decoded)
    }
    while samples.available == 0
      || samples.format == samples.told && samples.available < count
    {
      guard !isAtEnd, pending == nil else { break }
      do throws(DecodeFailure) {
        if case .failed(let failure) = course { throw failure }
        try advance()
      } catch {
        // What has been decoded before it is heard.
        course = .failed(error)
        guard samples.available > 0 else { throw error }
        break
      }
    }
    let (format, available) = (samples.format, samples.available)
    samples.give(count) { given, isOtherFormat, bytes in
      let header = FramesHeader(
        format: format, count: given, isAtEnd: !isOtherFormat && available == 0, damages: damages,
        frameCount: frameCount, place: place)
      body(header, bytes)
    }
  }

  // MARK: Seeking

  /// Goes to a heard frame: the next read begins with it.
  func seek(to frame: Int64) throws(DecodeFailure) {
    if case .failed = course { course = .decoding }
    let (target, position) = (
      min(frame, .max - heard.lowerBound) + heard.lowerBound, wanted - Int64(samples.available)
    )
    if !isAtEnd || samples.available > 0, pending == nil, position <= target {
      if target <= wanted {
        samples.skip(Int(target - position))
        return
      }
      if !isAtEnd, target - wanted <= traits.preroll + 16_384 {
        samples.removeAll()
        wanted = target
        return
      }
    }
    guard target < heard.upperBound else {
      samples.removeAll()
      (pending, course) = (nil, .ended)
      return
    }
    var back = max(traits.preroll, 1)
    while mayJump, target > back {
      if try jump(to: target - back, wanting: target), numbers.landing <= target - back / 2 {
        return
      }
      back *= 8
    }
    demuxer = try Demuxer(file)
    decoder = try PacketDecoder(demuxer)
    begin(with: target)
    numbers.restart()
    if mayCount { try walk(to: target - traits.preroll) }
  }

  private var mayJump: Bool {
    numbers.times.exactness != .none && !traits.remembersAll && samples.hasOneFormat && !mayCount
      && !numbers.hasJumps && (file.isSeekable || demuxer.hasWholeTable)
  }

  /// True where packets need not be decoded to know which frames they hold, and nothing else tells.
  private var mayCount: Bool {
    traits.packets == .alike && samples.hasOneFormat
      && (demuxer.isBare || numbers.hasJumps || numbers.times.exactness == .none)
  }

  /// Passes packets by from the start, up to the one of a frame.
  private func walk(to frame: Int64) throws(DecodeFailure) {
    while numbers.next + Int64(firstPacket) <= frame {
      Work.begins()
      guard try demuxer.readPacket() else { return }
      numbers.advance(by: Int64(firstPacket))
    }
  }

  /// Goes to a packet at or before `frame`, and decodes until the number of its frames is known.
  ///
  /// - Returns: false where that is not to be found.
  private func jump(to frame: Int64, wanting target: Int64) throws(DecodeFailure) -> Bool {
    guard try demuxer.seek(to: numbers.times.time(of: frame)) else { return false }
    decoder.flush()
    begin(with: target)
    numbers.jump()
    while numbers.isLost, !isAtEnd { try advance() }
    return !numbers.isLost
  }

  /// Forgets what has been decoded: `target` is the first frame that is wanted of what follows.
  private func begin(with target: Int64) {
    samples.removeAll()
    (pending, course, wanted) = (nil, .decoding, target)
  }
}
