// SPDX-License-Identifier: Apache-2.0

import CLibAV
import DecodeMessages

/// Properties of decoded frames beside their samples.
struct DecodedFrame {
  let format: WireFormat
  let count: Int
  /// In the time base of the stream; nil where it has none.
  let time: Int64?
  /// Frames at their start and at their end that are not to be heard, as container and decoder say.
  let skipped: (start: Int, end: Int)

  init(_ frame: UnsafeMutablePointer<AVFrame>) {
    let layout = frame.pointee.ch_layout
    format = WireFormat(
      sampleRate: Int(frame.pointee.sample_rate), channelCount: Int(layout.nb_channels),
      mask: layout.order == AV_CHANNEL_ORDER_NATIVE ? layout.u.mask : 0)
    count = Int(frame.pointee.nb_samples)
    let stamp = frame.pointee.best_effort_timestamp
    time = stamp == attacca_no_time ? nil : stamp
    let data = av_frame_get_side_data(frame, AV_FRAME_DATA_SKIP_SAMPLES)
    skipped = Self.skipped(data?.pointee.data, size: data?.pointee.size ?? 0)
  }

  /// Two numbers of 32 bits, lowest byte first: frames to be skipped at the start, and at the end.
  static func skipped(_ data: UnsafePointer<UInt8>?, size: Int) -> (start: Int, end: Int) {
    guard let data, size >= 8 else { return (0, 0) }
    func number(_ place: Int) -> Int {
      (0..<4).reduce(0) { $0 | Int(data[place + $1]) << (8 * $1) }
    }
    return (number(0), number(4))
  }
}
