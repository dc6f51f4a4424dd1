// SPDX-License-Identifier: Apache-2.0

import Attacca
import AttaccaNetwork

extension FileReport {
  /// The path, and below it a line for each thing known.
  var text: String {
    var lines = [("format", "\(fileFormat), \(format)")]
    let clock = isBroadcast ? "a broadcast, without an end" : ClockText.exact(length)
    lines.append(
      ("length", frames.map { "\($0) frames, \(clock), \(details.lengthSource.words)" } ?? clock))
    if let clip {
      let end = clip.end.map { ClockText.exact(RationalTime($0)) } ?? "its end"
      lines.append(("part", "from \(ClockText.exact(RationalTime(clip.start))) to \(end)"))
    }
    if let stream { lines.append(("segments", stream.text)) }
    lines.append(("stream", streamText))
    if let loudness = tags.replayGain.text { lines.append(("replay gain", loudness)) }
    lines += tags.lines + pictures.map { ("picture", $0.text) } + chapters.lines
    if let checksum { lines.append(("checksum", checksum.rawValue)) }
    if let truncation {
      lines.append((truncation.kind == .truncated ? "cut short" : "damaged", truncation.cause))
    }
    let body = lines.map { name, value in
      let label = name + String(repeating: " ", count: max(1, 14 - name.count))
      // A comment may have lines of its own.
      return "  \(label)\(value.split(separator: "\n").joined(separator: " "))\n"
    }
    return (path.text + "\n" + body.joined()).withoutControls
  }

  /// Bit rate, variant, and whether the file tells its ends.
  private var streamText: String {
    var parts = bitRate.map { ["\(($0 + 500) / 1_000) kbit/s"] } ?? []
    if let profile = details.profile { parts.append(profile) }
    let delay = details.encoderDelay.map { $0 > 0 ? ", encoder delay \($0) frames" : "" } ?? ""
    parts.append(
      details.isGapless ? "gapless\(delay)" : "the file does not tell what its encoder has added")
    return parts.joined(separator: ", ")
  }

  var json: JSONValue {
    var encoding: [(String, JSONValue)]
    switch fileFormat.encoding {
    case .integer(let bits):
      encoding = [("encoding", .string("integer")), ("bits", .integer(bits))]
    case .float(let bits): encoding = [("encoding", .string("float")), ("bits", .integer(bits))]
    case .lossy(let name): encoding = [("encoding", .string(name))]
    }
    if let codec = fileFormat.codec { encoding.append(("codec", .string(codec))) }
    encoding.insert(("container", .string(fileFormat.container.rawValue)), at: 0)
    let part: [(String, JSONValue)] =
      clip.map { clip in
        [
          ("start", .number(ClockText.nanoseconds(RationalTime(clip.start)))),
          ("end", clip.end.map { .number(ClockText.nanoseconds(RationalTime($0))) } ?? .null),
        ]
      } ?? []
    return .object(
      path.json + part + encoding + [
        ("sampleRate", .integer(format.sampleRate)),
        ("channels", .integer(format.channelCount)),
        ("layout", format.layout.json),
        ("frames", frames.map { .integer($0) } ?? .null),
        ("seconds", isBroadcast ? .null : .number(ClockText.decimal(length))),
        ("lengthSource", frames == nil ? .null : .string(details.lengthSource.rawValue)),
        ("profile", details.profile.map { .string($0) } ?? .null),
        ("bitRate", bitRate.map { .integer($0) } ?? .null),
        ("gapless", .bool(details.isGapless)),
        ("encoderDelay", details.encoderDelay.map { .integer($0) } ?? .null),
        ("replayGain", tags.replayGain.isEmpty ? .null : tags.replayGain.json),
        ("tags", tags.json), ("tagValues", tags.valuesJSON), ("chapters", chapters.json),
        ("pictures", .array(pictures.map(\.json))),
        ("truncation", truncation.map { .string($0.cause) } ?? .null),
      ] + (stream.map { [("hls", $0.json)] } ?? [])
        + (checksum.map { [("checksum", .string($0.rawValue))] } ?? []))
  }
}

extension SegmentedStream {
  /// As in "HLS, 12 of 24.0 s, encrypted, variants of 64 and 128 kbit/s".
  fileprivate var text: String {
    let length = seconds.map { " of \($0.text(decimals: 1)) s" } ?? ""
    let rates = bandwidths.map { "\(($0 + 500) / 1_000)" }.joined(separator: ", ")
    return "HLS, \(isLive ? "live, " : "")\(segmentCount)\(length)"
      + (isEncrypted ? ", encrypted" : "")
      + (bandwidths.isEmpty ? "" : ", variants of \(rates) kbit/s")
  }

  fileprivate var json: JSONValue {
    .object([
      ("live", .bool(isLive)), ("segments", .integer(segmentCount)),
      ("seconds", seconds.map { .number($0.text(decimals: 6)) } ?? .null),
      ("bandwidths", .array(bandwidths.map { .integer($0) })), ("encrypted", .bool(isEncrypted)),
    ])
  }
}

extension StreamDetails.LengthSource {
  fileprivate var words: String {
    switch self {
    case .header: "by its header"
    case .sampleTable: "by its table of samples"
    case .gaplessTag: "by iTunes"
    case .lastBlock: "by its last block"
    case .lastPage: "by its last page"
    case .packets: "counted"
    }
  }
}

extension BytePath {
  /// The path as text, and where that is not all of it, its bytes as %XX.
  var json: [(String, JSONValue)] {
    [("file", .string(text))] + (isText ? [] : [("fileBytes", .string(percentCoded))])
  }
}
