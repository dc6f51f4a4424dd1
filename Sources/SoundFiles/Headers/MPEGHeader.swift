// SPDX-License-Identifier: Apache-2.0

/// The four bytes that begin each MPEG audio frame (ISO 11172-3 §2.4.1.3, ISO 13818-3).
struct MPEGHeader {
  let layer: Int
  let sampleRate: Int
  let channelCount: Int
  /// MPEG-2 and 2.5 have half the frames a header.
  let isLowRate: Bool
  /// Bits a second of this frame.
  let bitRate: Int
  /// Bytes of the frame, header included.
  let length: Int
  /// Version, layer and rate: what does not change inside a stream.
  let constant: UInt32

  /// `nil` for what is no header of layer 2 or 3, or of free format, whose length it does not tell.
  init?(_ word: UInt32) {
    let version = Int(word >> 19 & 3)
    let bitRateIndex = Int(word >> 12 & 15)
    let rateIndex = Int(word >> 10 & 3)
    layer = 4 - Int(word >> 17 & 3)
    guard word >> 21 == 0x7FF, version != 1, layer == 2 || layer == 3, rateIndex != 3,
      bitRateIndex != 0, bitRateIndex != 15
    else { return nil }
    isLowRate = version != 3
    sampleRate = [44100, 48000, 32000][rateIndex] >> [2, 0, 1, 0][version]
    channelCount = word >> 6 & 3 == 3 ? 1 : 2
    bitRate = Self.bitRates(layer: layer, isLowRate: isLowRate)[bitRateIndex - 1] * 1000
    let padding = Int(word >> 9 & 1)
    length = (layer == 3 && isLowRate ? 72 : 144) * bitRate / sampleRate + padding
    constant = word & 0xFFFE_0C00
  }

  /// Place of a Xing or Info header in a layer 3 frame: behind the side information.
  var infoOffset: Int {
    switch (isLowRate, channelCount) {
    case (false, 1): 4 + 17
    case (false, _): 4 + 32
    case (true, 1): 4 + 9
    case (true, _): 4 + 17
    }
  }

  private static func bitRates(layer: Int, isLowRate: Bool) -> [Int] {
    switch (layer, isLowRate) {
    case (_, true): [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    case (2, false): [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
    default: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    }
  }
}
