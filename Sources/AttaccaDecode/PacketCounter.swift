// SPDX-License-Identifier: Apache-2.0

import CLibAV
import DecodeMessages

/// Counts the heard frames of a file that does not tell them, part by part.
final class PacketCounter {
  private enum Way {
    /// Packets of so many frames: they need not be decoded.
    case packets(of: Int)
    case opus
    case decoding(FrameReader)
  }

  private let demuxer: Demuxer
  private let way: Way
  private let priming: Int64
  private var frames: Int64 = 0

  /// Packets a part: some 10 s of sound.
  private static let packetsPerPart = 512
  private static let framesPerPart = 1 << 16

  /// `description` is what the file is, `length` the frames of its first packet.
  init(
    _ file: OpenFile, _ description: StreamDescription, firstPacket length: Int
  ) throws(DecodeFailure) {
    demuxer = try Demuxer(file)
    priming = description.priming ?? 0
    way =
      switch CodecTraits(of: demuxer.parameters).packets {
      case .alike: .packets(of: length)
      case .opus: .opus
      case .alikeButLast, .various: .decoding(try FrameReader(file))
      }
  }

  /// Looks through the next part.
  func advance() throws(DecodeFailure) -> CountedFrames {
    if case .decoding(let reader) = way { return try advance(reader) }
    for _ in 0..<Self.packetsPerPart {
      Work.begins()
      guard try demuxer.readPacket() else {
        let all = max(0, frames - priming)
        return CountedFrames(reach: all, isAtEnd: true, frameCount: all)
      }
      let packet = demuxer.packet.pointee
      var length = 0
      if case .packets(let frames) = way {
        length = frames
      } else {
        length = CodecTraits.opusFrames(
          UnsafeBufferPointer(start: packet.data, count: Int(packet.size)))
      }
      // What the container cuts off, of the last packets as a rule.
      var size = 0
      let data = av_packet_get_side_data(demuxer.packet, AV_PKT_DATA_SKIP_SAMPLES, &size)
      frames += Int64(length - min(length, DecodedFrame.skipped(data, size: size).end))
    }
    return CountedFrames(reach: max(0, frames - priming), isAtEnd: false, frameCount: nil)
  }

  private func advance(_ reader: FrameReader) throws(DecodeFailure) -> CountedFrames {
    var counted = CountedFrames(reach: frames, isAtEnd: false, frameCount: nil)
    try reader.read(Self.framesPerPart) { header, _ in
      frames += Int64(header.count)
      counted = CountedFrames(
        reach: frames, isAtEnd: header.isAtEnd, frameCount: header.isAtEnd ? header.frameCount : nil
      )
    }
    return counted
  }
}
