// SPDX-License-Identifier: Apache-2.0

import DecodeMessages

extension StreamDetails {
  init(helper description: StreamDescription) {
    let source: LengthSource =
      switch description.lengthSource {
      case .packets: .packets
      case .sampleTable: .sampleTable
      case .gaplessTag: .gaplessTag
      case .header: .header
      }
    self.init(
      source, profile: description.profile.isEmpty ? nil : description.profile,
      bitRate: description.bitRate > 0 ? Int(clamping: description.bitRate) : nil,
      isGapless: description.priming != nil,
      encoderDelay: description.priming.map { Int(clamping: $0) })
  }
}
