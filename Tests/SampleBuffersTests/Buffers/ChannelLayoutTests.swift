// SPDX-License-Identifier: Apache-2.0

import SampleBuffers
import Testing

@Suite("Channel layouts") struct ChannelLayoutTests {
  @Test func `speakers come back in the order they were given, up to eight`() {
    let speakers = ChannelLayout.Speaker.allCases
    for count in 1...8 {
      let given = Array(speakers.suffix(count))
      #expect(ChannelLayout(given).speakers == given)
    }
  }

  @Test func `order is part of a layout`() {
    let vorbis = ChannelLayout([.frontLeft, .frontCenter, .frontRight])
    #expect(vorbis != .surround30)
    #expect(vorbis.firstIndex(of: .frontRight) == 2)
    #expect(vorbis.firstIndex(of: .lowFrequency) == nil)
  }

  @Test func `the usual layouts have as many channels as they are asked for, no speaker twice`() {
    for count in 1...8 {
      let layout = ChannelLayout.usual(channelCount: count)
      #expect(layout.channelCount == count)
      #expect(Set(layout.speakers).count == count)
    }
  }
}
