// SPDX-License-Identifier: Apache-2.0

import CFLAC

/// Makes FLAC streams that libsndfile does not write: of any bits and blocks, and in Ogg.
struct FLACBytes {
  var bits = 16
  var channelCount = 2
  var sampleRate = 44_100
  var blockSize = 4_096
  /// The serial number of the Ogg stream; nil for a FLAC file.
  var serial: Int?
  /// Whether the headers of an Ogg stream tell its length.
  var tellsLength = true

  private final class Output {
    var bytes: [UInt8] = []
    var position = 0
    /// Where blocks begin.
    var blocks: [Int] = []
  }

  /// A stream, and where its blocks begin; in Ogg its pages.
  func encode(_ samples: [Int32]) -> (bytes: [UInt8], blocks: [Int]) {
    let output = Output()
    let encoder = FLAC__stream_encoder_new()!
    defer { FLAC__stream_encoder_delete(encoder) }
    FLAC__stream_encoder_set_channels(encoder, UInt32(channelCount))
    FLAC__stream_encoder_set_bits_per_sample(encoder, UInt32(bits))
    FLAC__stream_encoder_set_sample_rate(encoder, UInt32(sampleRate))
    FLAC__stream_encoder_set_streamable_subset(encoder, 0)
    FLAC__stream_encoder_set_compression_level(encoder, 2)
    FLAC__stream_encoder_set_blocksize(encoder, UInt32(blockSize))
    if tellsLength {
      FLAC__stream_encoder_set_total_samples_estimate(
        encoder, UInt64(samples.count / channelCount))
    }
    let write: FLAC__StreamEncoderWriteCallback = { _, buffer, count, frames, _, client in
      let output = Unmanaged<Output>.fromOpaque(client!).takeUnretainedValue()
      if frames > 0 { output.blocks.append(output.position) }
      let end = output.position + count
      if output.bytes.count < end {
        output.bytes += [UInt8](repeating: 0, count: end - output.bytes.count)
      }
      for i in 0..<count { output.bytes[output.position + i] = buffer![i] }
      output.position = end
      return FLAC__STREAM_ENCODER_WRITE_STATUS_OK
    }
    let seek: FLAC__StreamEncoderSeekCallback = { _, offset, client in
      Unmanaged<Output>.fromOpaque(client!).takeUnretainedValue().position = Int(offset)
      return FLAC__STREAM_ENCODER_SEEK_STATUS_OK
    }
    let tell: FLAC__StreamEncoderTellCallback = { _, offset, client in
      let output = Unmanaged<Output>.fromOpaque(client!).takeUnretainedValue()
      offset!.pointee = UInt64(output.position)
      return FLAC__STREAM_ENCODER_TELL_STATUS_OK
    }
    let client = Unmanaged.passUnretained(output).toOpaque()
    if let serial {
      FLAC__stream_encoder_set_ogg_serial_number(encoder, serial)
      FLAC__stream_encoder_init_ogg_stream(encoder, nil, write, nil, nil, nil, client)
    } else {
      FLAC__stream_encoder_init_stream(encoder, write, seek, tell, nil, client)
    }
    let frames = UInt32(samples.count / channelCount)
    precondition(FLAC__stream_encoder_process_interleaved(encoder, samples, frames) != 0)
    precondition(FLAC__stream_encoder_finish(encoder) != 0)
    return (output.bytes, output.blocks)
  }

  /// What is heard of a sample.
  func heard(_ sample: Int32) -> Float { Float(sample) / Float(UInt64(1) << UInt64(bits - 1)) }

  /// Samples of full range, some runs of which do not change.
  func samples(frames: Int, seed: UInt64 = 1) -> [Int32] {
    var state = seed &* 2_685_821_657_736_338_717 | 1
    return (0..<frames * channelCount).map { i in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      let sample = Int32(truncatingIfNeeded: Int64(bitPattern: state) >> Int64(64 - bits))
      return i / 1_000 % 5 == 4 ? -1 : sample
    }
  }
}
