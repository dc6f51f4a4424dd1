// SPDX-License-Identifier: Apache-2.0

import Attacca
import Glibc

extension ReplayGain {
  /// As in "track -6.50 dB, peak 0.988553; album -7.10 dB"; nil where the tags tell nothing of it.
  var text: String? {
    let parts = [("track", track), ("album", album)].compactMap { name, value in
      value.map { "\(name) \($0.text)" }
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  var json: JSONValue {
    .object([
      ("track", track?.json ?? .null), ("album", album?.json ?? .null),
      ("statedReferenceLevel", statedReferenceLevel.map { .number("\($0)") } ?? .null),
    ])
  }
}

extension ReplayGain.Value {
  fileprivate var text: String {
    "\(gain.text(decimals: 2)) dB" + (peak.map { ", peak \($0.text(decimals: 6))" } ?? "")
  }

  fileprivate var json: JSONValue {
    .object([("gain", .number("\(gain)")), ("peak", peak.map { .number("\($0)") } ?? .null)])
  }
}
