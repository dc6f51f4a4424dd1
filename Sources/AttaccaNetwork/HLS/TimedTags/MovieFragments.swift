// SPDX-License-Identifier: Apache-2.0

/// The timed tags between fragments of MP4, and the time at which their sound begins (ISO 14496-12, 23009-1).
struct MovieFragments {
  /// Tags with their times, in 1/90,000 s.
  private(set) var tags: [(time: Int64, bytes: [UInt8])] = []
  /// Time of the first fragment of sound; nil without one.
  private(set) var firstSound: Int64?

  private static let schemes = [
    "https://aomedia.org/emsg/ID3", "https://developer.apple.com/streaming/emsg-id3",
  ]

  /// nil where the header has no track of sound.
  init?(header: [UInt8], _ segment: [UInt8]) {
    guard let track = Self.track(in: header) else { return nil }
    // Such a box stands in front of the fragment that it is of.
    var events: [Event] = []
    for box in Boxes(segment[...]) {
      switch box.type {
      case "emsg":
        if let event = Event(box.content), events.count < TimedTagReader.most {
          events.append(event)
        }
      case "moof":
        if firstSound == nil { firstSound = Self.time(of: track, in: box.content) }
      default: break
      }
    }
    for event in events where Self.schemes.contains(event.scheme) {
      switch event.time {
      case .ofStream(let time): tags.append((time, event.message))
      case .behindStart(let time):
        if let firstSound { tags.append((firstSound + time, event.message)) }
      }
    }
  }

  private struct Track {
    var number: UInt64
    var timescale: Int64
  }

  private static func track(in header: [UInt8]) -> Track? {
    for movie in Boxes(header[...]) where movie.type == "moov" {
      for box in Boxes(movie.content) where box.type == "trak" {
        let parts = Array(Boxes(box.content))
        guard let head = parts.first(where: { $0.type == "tkhd" })?.content,
          let media = parts.first(where: { $0.type == "mdia" })?.content
        else { continue }
        let inner = Array(Boxes(media))
        guard
          let handler = inner.first(where: { $0.type == "hdlr" })?.content,
          handler.dropFirst(8).prefix(4).elementsEqual("soun".utf8),
          let times = inner.first(where: { $0.type == "mdhd" })?.content,
          let number = head.big(at: head.first == 1 ? 20 : 12, 4),
          let timescale = times.big(at: times.first == 1 ? 20 : 12, 4), timescale > 0
        else { continue }
        return Track(number: number, timescale: Int64(timescale))
      }
    }
    return nil
  }

  /// The decode time of a track in a fragment, in 1/90,000 s.
  private static func time(of track: Track, in fragment: ArraySlice<UInt8>) -> Int64? {
    for box in Boxes(fragment) where box.type == "traf" {
      let parts = Array(Boxes(box.content))
      guard let head = parts.first(where: { $0.type == "tfhd" })?.content,
        head.big(at: 4, 4) == track.number,
        let time = parts.first(where: { $0.type == "tfdt" })?.content,
        let value = time.big(at: 4, time.first == 1 ? 8 : 4)
      else { continue }
      return Event.ticks(value, of: track.timescale)
    }
    return nil
  }
}
