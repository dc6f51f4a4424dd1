// SPDX-License-Identifier: Apache-2.0

import CLibAV

/// Makes interleaved Float32 of full scale 1 of what decoders give.
enum SampleWriter {
  /// Appends the frames of `frame` in a range.
  ///
  /// - Returns: false where its samples are of a kind that is not known.
  static func append(
    _ frame: UnsafeMutablePointer<AVFrame>, _ frames: Range<Int>, to samples: inout [Float]
  ) -> Bool {
    let channels = Int(frame.pointee.ch_layout.nb_channels)
    let format = AVSampleFormat(frame.pointee.format)
    let isPlanar = av_sample_fmt_is_planar(format) == 1
    let source = Source(
      planes: frame.pointee.extended_data, channels: channels, isPlanar: isPlanar,
      frames: frames)
    switch av_get_packed_sample_fmt(format) {
    case AV_SAMPLE_FMT_FLT: append(source, to: &samples) { (x: Float) in x }
    case AV_SAMPLE_FMT_S16: append(source, to: &samples) { (x: Int16) in Float(x) / 32_768 }
    case AV_SAMPLE_FMT_S32: append(source, to: &samples) { (x: Int32) in Float(x) / 2_147_483_648 }
    case AV_SAMPLE_FMT_DBL: append(source, to: &samples) { (x: Double) in Float(x) }
    case AV_SAMPLE_FMT_U8: append(source, to: &samples) { (x: UInt8) in (Float(x) - 128) / 128 }
    case AV_SAMPLE_FMT_S64:
      append(source, to: &samples) { (x: Int64) in Float(x) / 9_223_372_036_854_775_808 }
    default: return false
    }
    return true
  }

  private struct Source {
    let planes: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?
    let channels: Int
    let isPlanar: Bool
    let frames: Range<Int>
  }

  @inline(__always)
  private static func append<Sample>(
    _ source: Source, to samples: inout [Float], _ convert: (Sample) -> Float
  ) {
    let (channels, begin) = (source.channels, samples.count)
    guard !source.frames.isEmpty, let planes = source.planes else { return }
    samples.append(contentsOf: repeatElement(0, count: source.frames.count * channels))
    samples.withUnsafeMutableBufferPointer { out in
      for channel in 0..<channels {
        let plane = planes[source.isPlanar ? channel : 0]
        guard let plane else { continue }
        plane.withMemoryRebound(to: Sample.self, capacity: 1) { plane in
          let (step, start) = source.isPlanar ? (1, 0) : (channels, channel)
          var place = begin + channel
          for i in source.frames {
            out[place] = convert(plane[start + i * step])
            place += channels
          }
        }
      }
    }
  }
}
