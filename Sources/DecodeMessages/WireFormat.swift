// SPDX-License-Identifier: Apache-2.0

/// Rate and channels of frames.
package struct WireFormat: Hashable, Sendable {
  /// In hertz.
  package var sampleRate: Int
  package var channelCount: Int
  /// Speakers as in a WAVE file, one bit each, in the order of the channels; 0 where the file does not say.
  package var mask: UInt64

  package init(sampleRate: Int, channelCount: Int, mask: UInt64) {
    (self.sampleRate, self.channelCount, self.mask) = (sampleRate, channelCount, mask)
  }

  /// nil for what no frames have.
  init?(_ reader: inout WireReader) {
    guard let rate = reader.integer(UInt32.self), let channels = reader.integer(UInt32.self),
      let mask = reader.integer(UInt64.self), rate > 0, rate <= 1 << 24, channels > 0,
      channels <= 64
    else { return nil }
    self.init(sampleRate: Int(rate), channelCount: Int(channels), mask: mask)
  }

  func write(to writer: inout WireWriter) {
    writer.add(UInt32(clamping: sampleRate))
    writer.add(UInt32(clamping: channelCount))
    writer.add(mask)
  }
}
