// SPDX-License-Identifier: Apache-2.0

import SampleBuffers

/// The channel layout tags of Core Audio, as in CAF's `chan` chunk and AIFF's `CHAN`: a number, and
/// the channel count in the low half.
enum LayoutTag {
  /// `nil` for descriptions, bitmaps, places that there is no speaker for, and another count.
  static func layout(_ tag: UInt64, channelCount: Int) -> ChannelLayout? {
    guard tag & 0xFFFF == UInt64(channelCount), let speakers = orders[tag >> 16],
      speakers.count == channelCount
    else { return nil }
    return ChannelLayout(speakers)
  }

  private static let orders: [UInt64: [ChannelLayout.Speaker]] = {
    typealias Speaker = ChannelLayout.Speaker
    let (l, r, c, lfe) = (
      Speaker.frontLeft, Speaker.frontRight, Speaker.frontCenter, Speaker.lowFrequency
    )
    let (ls, rs, cs) = (Speaker.backLeft, Speaker.backRight, Speaker.backCenter)
    return [
      100: [.mono],
      // Stereo, and stereo for headphones.
      101: [l, r], 102: [l, r],
      // MPEG 3.0 A and B, ITU 2.1, DVD 4.
      113: [l, r, c], 114: [c, l, r], 131: [l, r, cs], 133: [l, r, lfe],
      // Quadraphonic, MPEG 4.0 A and B, ITU 2.2, DVD 5 and 10.
      108: [l, r, ls, rs], 115: [l, r, c, cs], 116: [c, l, r, cs], 132: [l, r, ls, rs],
      134: [l, r, lfe, cs], 136: [l, r, c, lfe],
      // Pentagonal, MPEG 5.0 A to D, DVD 6, 11 and 18.
      109: [l, r, ls, rs, c], 117: [l, r, c, ls, rs], 118: [l, r, ls, rs, c],
      119: [l, c, r, ls, rs], 120: [c, l, r, ls, rs], 135: [l, r, lfe, ls, rs],
      137: [l, r, c, lfe, cs], 138: [l, r, ls, rs, lfe],
      // MPEG 5.1 A to D, audio unit 6.0, AAC 6.0.
      121: [l, r, c, lfe, ls, rs], 122: [l, r, ls, rs, c, lfe], 123: [l, c, r, ls, rs, lfe],
      124: [c, l, r, ls, rs, lfe], 139: [l, r, ls, rs, c, cs], 141: [c, l, r, ls, rs, cs],
      // MPEG 6.1 A, AAC 6.1.
      125: [l, r, c, lfe, ls, rs, cs], 142: [c, l, r, ls, rs, cs, lfe],
    ]
  }()
}
