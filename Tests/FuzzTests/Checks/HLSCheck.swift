// SPDX-License-Identifier: Apache-2.0

import SoundFiles

@testable import AttaccaNetwork

/// Reads bytes as a playlist of HLS.
enum HLSCheck {
  static func run(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    let playlist: HLSPlaylist
    do {
      playlist = try StepTime.bounded("a playlist") { try HLSPlaylist(text, name: "x") }
    } catch let error as SoundFileError {
      try Finding.unless(
        [.unsupported, .broken].contains(error.kind) && error.path == "x" && !error.cause.isEmpty,
        "an error of another kind: \(error)")
      return
    }
    switch playlist {
    case .choices(let variants):
      try Finding.unless(!variants.isEmpty, "no variant")
      try Finding.unless(
        zip(variants, variants.dropFirst()).allSatisfy { $0.bandwidth <= $1.bandwidth },
        "variants out of order")
      try Finding.unless(Set(variants.map(\.place)).count == variants.count, "a place twice")
    case .segments(let segments):
      try Finding.unless((0.1...600).contains(segments.target), "a target of \(segments.target)")
      try Finding.unless(
        (0..<1 << 53).contains(segments.firstNumber), "number \(segments.firstNumber)")
      for segment in segments.list {
        try Finding.unless(
          segment.seconds.isFinite && (0...86_400).contains(segment.seconds),
          "\(segment.seconds) s")
        let ranges = [segment.bytes, segment.header?.bytes].compactMap { $0 }
        try Finding.unless(ranges.allSatisfy { $0.lowerBound >= 0 }, "a range below 0")
        let starts = [segment.key?.start, segment.header?.key?.start].compactMap { $0 }
        try Finding.unless(starts.allSatisfy { $0.count == 16 }, "a start of another size")
      }
    }
  }
}
