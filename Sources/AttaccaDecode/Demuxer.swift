// SPDX-License-Identifier: Apache-2.0

import CLibAV
import DecodeMessages

/// The packets of a file's audio stream, by libavformat.
final class Demuxer {
  let stream: UnsafeMutablePointer<AVStream>
  /// The packet that `readPacket` has read.
  let packet: UnsafeMutablePointer<AVPacket>
  private let context: FormatContext
  /// Index and ticks of the video beside it: Matroska has places of its packets alone.
  private let video: (index: Int32, base: AVRational)?

  private let file: OpenFile

  init(_ file: OpenFile) throws(DecodeFailure) {
    self.file = file
    context = try FormatContext(file)
    let index = Int(av_find_best_stream(context.pointer, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0))
    guard index >= 0, let open = context.pointer?.pointee, let stream = open.streams[index] else {
      throw DecodeFailure(.unsupported, call: "av_find_best_stream", cause: "no audio in it")
    }
    for other in 0..<Int(open.nb_streams) where other != index {
      open.streams[other]?.pointee.discard = AVDISCARD_ALL
    }
    let other = av_find_best_stream(context.pointer, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
    video =
      other < 0 ? nil : open.streams[Int(other)].map { (other, $0.pointee.time_base) }
    guard let packet = av_packet_alloc() else { throw .noMemory("av_packet_alloc") }
    (self.stream, self.packet) = (stream, packet)
  }

  /// Bytes that may be passed for a place: 2 s of a disk of 500 MB/s.
  private static let passedAtOnce: Int64 = 1 << 30

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = packet
    av_packet_free(&packet)
  }

  /// The place behind `packet`; nil where the container does not tell it.
  var place: Int64? {
    packet.pointee.pos >= 0 ? packet.pointee.pos &+ Int64(packet.pointee.size) : nil
  }

  /// File that libavformat has open.
  var openFile: AVFormatContext? { context.pointer?.pointee }

  var parameters: AVCodecParameters { stream.pointee.codecpar.pointee }

  /// libavformat's names of the container.
  var containerName: String {
    context.pointer?.pointee.iformat?.pointee.name.map { String(cString: $0) } ?? ""
  }

  /// Times are no places: libavformat guesses at those of packets without a container, and those of a broadcast
  /// begin again wherever it was cut.
  var isBare: Bool {
    let flags = context.pointer?.pointee.iformat?.pointee.flags ?? 0
    return flags & AVFMT_GENERIC_INDEX != 0
      // A WAVE file knows bytes a second, on the average.
      || ["mpeg", "mpegts", "wav", "w64"].contains(containerName)
        && context.size < Self.passedAtOnce
  }

  /// It was read with the headers where each packet is.
  var hasWholeTable: Bool {
    containerName.hasPrefix("mov") && file.shown.supply != .askedInParts
  }

  /// The table of an MP4 file has packets of one length, but for the last; true where there is no table.
  func hasEvenTable(packet frames: Int, sampleRate: Int) -> Bool {
    let base = stream.pointee.time_base
    let (ticks, rest) = (frames * Int(base.den)).quotientAndRemainder(
      dividingBy: max(1, Int(base.num) * sampleRate))
    let count = Int(avformat_index_get_entries_count(stream))
    guard containerName.hasPrefix("mov"), rest == 0, count > 1,
      let first = avformat_index_get_entry(stream, 0)?.pointee.timestamp
    else { return true }
    for i in 1..<count {
      guard let entry = avformat_index_get_entry(stream, Int32(i))?.pointee,
        entry.timestamp &- first == Int64(i &* ticks)
      else { return false }
    }
    return true
  }

  /// In bits a second: of the stream, or else of the file; 0 where neither is known.
  var bitRate: Int64 {
    max(0, parameters.bit_rate > 0 ? parameters.bit_rate : context.pointer?.pointee.bit_rate ?? 0)
  }

  /// Of the file and then of the stream, as they are there.
  var tags: [StreamDescription.Tag] {
    Self.tags(context.pointer?.pointee.metadata) + Self.tags(stream.pointee.metadata)
  }

  private static func tags(_ dictionary: OpaquePointer?) -> [StreamDescription.Tag] {
    var (all, entry): ([StreamDescription.Tag], UnsafeMutablePointer<AVDictionaryEntry>?) = (
      [], nil
    )
    while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
      entry = next
      all.append(
        StreamDescription.Tag(
          name: String(cString: next.pointee.key), value: String(cString: next.pointee.value)))
    }
    return all
  }

  /// Reads the next packet of the stream into `packet`.
  ///
  /// - Returns: false at the end of the file.
  func readPacket() throws(DecodeFailure) -> Bool {
    while true {
      av_packet_unref(packet)
      let code = av_read_frame(context.pointer, packet)
      if code == attacca_try_again { continue }
      if code < 0 {
        if let failure = context.failure { throw failure }
        return false
      }
      if packet.pointee.stream_index == stream.pointee.index, !isPadding { return true }
    }
  }

  /// The packet is what fills a chunk of W64 up to a multiple of eight bytes, which some writers count as sound.
  private var isPadding: Bool { containerName == "w64" && packet.pointee.size < 8 }

  /// Goes to a packet at `time` of the stream, or before it.
  ///
  /// - Returns: false where libavformat cannot.
  func seek(to time: Int64) throws(DecodeFailure) -> Bool {
    av_packet_unref(packet)
    var (index, place) = (stream.pointee.index, time)
    if let video, containerName.hasPrefix("matroska") {
      (index, place) = (video.index, av_rescale_q(time, stream.pointee.time_base, video.base))
    }
    let code = av_seek_frame(context.pointer, index, place, AVSEEK_FLAG_BACKWARD)
    if code < 0, let failure = context.failure { throw failure }
    return code >= 0
  }
}
