// SPDX-License-Identifier: Apache-2.0

import CLibAV
import DecodeMessages

/// Range of the decoded frames that are heard.
struct Trim {
  /// Decoded frames in front that are not; nil where the file does not say, and there may be some.
  var priming: Int64?
  /// Heard frames; nil where only the packets tell.
  var count: Int64?
  var source = StreamDescription.LengthSource.packets

  /// The trim of what a demuxer reads.
  ///
  /// - Parameters:
  ///   - demuxer: what has the container open.
  ///   - first: the frames that come first.
  ///   - packetTime: the time of the packet that they are made of; nil where it has none.
  ///   - isEven: whether the table of packets is whole, and that of one part, not of parts put behind each other.
  init(of demuxer: Demuxer, first: DecodedFrame, packetTime: Int64?, isEven: Bool) {
    let isLossless = CodecTraits.isLossless(demuxer.parameters.codec_id)
    priming = first.skipped.start > 0 ? Int64(first.skipped.start) : isLossless ? 0 : nil
    if first.skipped.start == 0, first.skipped.end > 0, demuxer.parameters.initial_padding > 0 {
      // The only packet: of what is cut off at both ends libavformat tells one.
      priming = Int64(demuxer.parameters.initial_padding)
    }
    switch demuxer.parameters.codec_id {
    case AV_CODEC_ID_WMAV1, AV_CODEC_ID_WMAV2:
      // libavcodec takes two blocks for its delay; it has one.
      priming = Int64(first.skipped.start / 2)
    default: break
    }
    if demuxer.containerName.hasPrefix("mov") {
      trimAsMPEG4(demuxer, first: first, packetTime: packetTime)
      if !isEven { (count, source) = (nil, .packets) }
    } else if isLossless {
      trimByHeader(demuxer, rate: first.format.sampleRate)
    }
  }

  /// An MP4 file's edit list says where playing begins, its table of samples where it ends; iTunes says both.
  private mutating func trimAsMPEG4(_ demuxer: Demuxer, first: DecodedFrame, packetTime: Int64?) {
    let base = demuxer.stream.pointee.time_base
    func frames(_ ticks: Int64) -> Int64 {
      av_rescale(ticks, Int64(base.num) * Int64(first.format.sampleRate), Int64(base.den))
    }
    // With an edit list the times begin before 0.
    if let packetTime, packetTime < 0, packetTime > -1 << 32 { priming = frames(-packetTime) }
    var total: Int64?
    let duration = demuxer.stream.pointee.duration
    if Self.isTableWhole(demuxer), duration > 0 { total = frames(duration) }
    if let tag = demuxer.tags.first(where: { $0.name == "iTunSMPB" }),
      let gapless = GaplessTag(tag.value)?.fitting(total)
    {
      (priming, count, source) = (gapless.priming, gapless.count, .gaplessTag)
    } else if let total, total > priming ?? 0 {
      (count, source) = (total - (priming ?? 0), .sampleTable)
    }
  }

  /// The table tells of all packets: of a file in fragments it has those that have been met.
  private static func isTableWhole(_ demuxer: Demuxer) -> Bool {
    let count = avformat_index_get_entries_count(demuxer.stream)
    guard count > 0, let last = avformat_index_get_entry(demuxer.stream, count - 1)?.pointee else {
      return false
    }
    let first = avformat_index_get_entry(demuxer.stream, 0)?.pointee.timestamp ?? 0
    let rest = demuxer.stream.pointee.duration &- (last.timestamp &- first)
    // The last packet is no longer than the others, of which 8,192 frames are the most.
    return rest >= 0 && rest <= 8_192
  }

  /// Lossless files count their frames, where their times do.
  private mutating func trimByHeader(_ demuxer: Demuxer, rate: Int) {
    let (base, duration) = (demuxer.stream.pointee.time_base, demuxer.stream.pointee.duration)
    // Of a CAF file libavformat adds up its packets, of which the last may be shorter than it says.
    guard base.num == 1, Int(base.den) == rate, duration > 0, demuxer.containerName != "caf"
    else { return }
    (count, source) = (duration, .header)
  }
}
