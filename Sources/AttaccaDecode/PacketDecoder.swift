// SPDX-License-Identifier: Apache-2.0

import CLibAV
import DecodeMessages

/// Makes frames of packets, by libavcodec, as they are: nothing is cut off at either end.
final class PacketDecoder {
  /// The frames that `receive` has found.
  let frame: UnsafeMutablePointer<AVFrame>
  private var context: UnsafeMutablePointer<AVCodecContext>?

  init(_ demuxer: Demuxer) throws(DecodeFailure) {
    let id = demuxer.parameters.codec_id
    guard let codec = Self.decoder(for: id) else {
      let name = id == AV_CODEC_ID_NONE ? "an unknown or encrypted code" : Self.name(of: id)
      throw DecodeFailure(
        .unsupported, call: "avcodec_find_decoder", cause: "\(name) is not decoded")
    }
    guard let frame = av_frame_alloc() else { throw .noMemory("av_frame_alloc") }
    self.frame = frame
    context = avcodec_alloc_context3(codec)
    guard let context else { throw .noMemory("avcodec_alloc_context3") }
    avcodec_parameters_to_context(context, demuxer.stream.pointee.codecpar)
    context.pointee.pkt_timebase = demuxer.stream.pointee.time_base
    context.pointee.thread_count = 1
    context.pointee.flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL
    // Its dynamics would be made smaller otherwise; who wants that has effects.
    av_opt_set(context, "drc_scale", "0", AV_OPT_SEARCH_CHILDREN)
    // The noise that AC-3 has for what it left out is the same after a seek.
    av_opt_set(context, "cons_noisegen", "1", AV_OPT_SEARCH_CHILDREN)
    let opened = avcodec_open2(context, codec, nil)
    guard opened == 0 else { throw DecodeFailure(.broken, call: "avcodec_open2", opened) }
  }

  deinit {
    avcodec_free_context(&context)
    var frame: UnsafeMutablePointer<AVFrame>? = frame
    av_frame_free(&frame)
  }

  /// The default of layers 1 and 2 makes integers, with a dither that remembers all before.
  private static func decoder(for id: AVCodecID) -> UnsafePointer<AVCodec>? {
    switch id {
    case AV_CODEC_ID_MP1: avcodec_find_decoder_by_name("mp1float")
    case AV_CODEC_ID_MP2: avcodec_find_decoder_by_name("mp2float")
    default: avcodec_find_decoder(id)
    }
  }

  static func name(of id: AVCodecID) -> String { String(cString: avcodec_get_name(id)) }

  /// Such as "HE-AAC"; empty where there is none.
  var profile: String {
    guard let context,
      let name = avcodec_profile_name(context.pointee.codec_id, context.pointee.profile)
    else { return "" }
    return String(cString: name)
  }

  /// Bits of an integer of the samples, and those that matter; 0 where it is not known.
  var bits: Int {
    guard let context = context?.pointee else { return 0 }
    if context.bits_per_raw_sample > 0 { return Int(context.bits_per_raw_sample) }
    return Int(8 * av_get_bytes_per_sample(context.sample_fmt))
  }

  var isFloat: Bool {
    guard let format = context?.pointee.sample_fmt else { return false }
    return [AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_DBL].contains(av_get_packed_sample_fmt(format))
  }

  /// Takes a packet; nil for the end.
  ///
  /// - Returns: false where the packet is damaged.
  func send(_ packet: UnsafeMutablePointer<AVPacket>?) throws(DecodeFailure) -> Bool {
    let code = avcodec_send_packet(context, packet)
    if code == attacca_no_memory { throw .noMemory("avcodec_send_packet") }
    return code >= 0 || code == attacca_end_of_file
  }

  enum Received { case frames, wantsPacket, end, damage }

  /// Finds the next frames.
  func receive() throws(DecodeFailure) -> Received {
    switch avcodec_receive_frame(context, frame) {
    case 0...: return .frames
    case attacca_try_again: return .wantsPacket
    case attacca_end_of_file: return .end
    case attacca_no_memory: throw .noMemory("avcodec_receive_frame")
    default: return .damage
    }
  }

  /// Forgets what came before: the next packet is from elsewhere.
  func flush() { avcodec_flush_buffers(context) }
}
