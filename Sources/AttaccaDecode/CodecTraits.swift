// SPDX-License-Identifier: Apache-2.0

import CLibAV

/// Properties of a code that have to be known to be exact, and that libav does not tell.
struct CodecTraits {
  /// Frames that are decoded in front of a frame that is sought, so that it is what decoding from the start makes it.
  let preroll: Int64
  /// Packets all have so many frames, whatever their times say: those of the first one, or a multiple of a number.
  let packets: Packets
  /// True where what is decoded now depends on all that came before: nothing but decoding from the start is right.
  let remembersAll: Bool

  enum Packets: Equatable {
    case alike
    /// Those of the first one but for the last.
    case alikeButLast
    /// RFC 6716 §3.1: the first byte tells.
    case opus
    case various
  }

  private init(preroll: Int64, _ packets: Packets, remembersAll: Bool = false) {
    (self.preroll, self.packets, self.remembersAll) = (preroll, packets, remembersAll)
  }

  init(of parameters: AVCodecParameters) {
    let code = parameters.codec_id
    switch code {
    // One packet, and two and more with SBR; four of 2,048 frames.
    case AV_CODEC_ID_AAC, AV_CODEC_ID_AAC_LATM: self.init(preroll: 8_192, .alike)
    // A reservoir of bits goes back 511 bytes: 3,840 frames, measured.
    case AV_CODEC_ID_MP1, AV_CODEC_ID_MP2, AV_CODEC_ID_MP3: self.init(preroll: 11_520, .alike)
    case AV_CODEC_ID_AC3: self.init(preroll: 3_072, .alike)
    case AV_CODEC_ID_EAC3, AV_CODEC_ID_DTS: self.init(preroll: 4_096, .alike)
    // The 80 ms of RFC 7845 leave a difference of 0.05; 500 ms one below 1e-6.
    case AV_CODEC_ID_OPUS: self.init(preroll: 24_000, .opus)
    // Two blocks of 8,192.
    case AV_CODEC_ID_VORBIS: self.init(preroll: 16_384, .various)
    case AV_CODEC_ID_AMR_NB, AV_CODEC_ID_AMR_WB, AV_CODEC_ID_SPEEX, AV_CODEC_ID_GSM,
      AV_CODEC_ID_GSM_MS, AV_CODEC_ID_QCELP, AV_CODEC_ID_EVRC, AV_CODEC_ID_G723_1,
      AV_CODEC_ID_G729, AV_CODEC_ID_ILBC, AV_CODEC_ID_ADPCM_IMA_QT:
      self.init(preroll: 0, .various, remembersAll: true)
    case AV_CODEC_ID_ALAC, AV_CODEC_ID_TTA, AV_CODEC_ID_WAVPACK:
      self.init(preroll: 0, .alikeButLast)
    case AV_CODEC_ID_FLAC:
      self.init(preroll: 0, Self.hasOneBlockSize(parameters) ? .alikeButLast : .various)
    default:
      // Lossless codes begin anew with each packet; a lossy one that is not known gets 16,384 frames.
      let properties = avcodec_descriptor_get(code)?.pointee.props ?? 0
      self.init(preroll: properties & AV_CODEC_PROP_LOSSY == 0 ? 0 : 16_384, .various)
    }
  }

  /// Tells whether a FLAC STREAMINFO has the same shortest and longest block.
  private static func hasOneBlockSize(_ parameters: AVCodecParameters) -> Bool {
    guard let header = parameters.extradata, parameters.extradata_size >= 4 else { return false }
    return header[0] == header[2] && header[1] == header[3]
  }

  /// Frames that the lengths of all packets, the last one left out, are multiples of; nil where there are none.
  func grid(firstPacket: Int) -> Int? {
    switch packets {
    case .alike, .alikeButLast: firstPacket
    case .opus: 120
    case .various: nil
    }
  }

  /// Tells whether what it decodes to is integers of the file; of the codes that may lose something WavPack is.
  static func isLossless(_ code: AVCodecID) -> Bool {
    let properties = avcodec_descriptor_get(code)?.pointee.props ?? 0
    guard properties & AV_CODEC_PROP_LOSSLESS != 0 else { return false }
    return properties & AV_CODEC_PROP_LOSSY == 0 || code == AV_CODEC_ID_WAVPACK
  }

  /// Frames of an Opus packet at 48 kHz; 0 for what is none.
  static func opusFrames(_ packet: UnsafeBufferPointer<UInt8>) -> Int {
    guard let first = packet.first else { return 0 }
    let (kind, count) = (Int(first >> 3), first & 3)
    let length =
      switch kind {
      // SILK of 10, 20, 40 and 60 ms.
      case 0..<12: [480, 960, 1920, 2880][kind & 3]
      // Both, of 10 and 20 ms.
      case 12..<16: [480, 960][kind & 1]
      // CELT of 2.5, 5, 10 and 20 ms.
      default: [120, 240, 480, 960][kind & 3]
      }
    switch count {
    case 0: return length
    case 1, 2: return 2 * length
    default: return packet.count > 1 ? length * Int(packet[1] & 0x3F) : 0
    }
  }
}
