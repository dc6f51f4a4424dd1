// SPDX-License-Identifier: Apache-2.0

/// The runs of whole MPEG frames in a file, found as far as it is being read.
///
/// libmpg123 takes one header for proof, and noise has one every 3.5 kB: it read 5 MB of noise byte
/// by byte for a minute, and played the frames it believed to find. Here what stands between runs is
/// a hole that no decoder sees, and behind the last one the stream ends.
final class MPEGRuns {
  /// A stretch between two runs: rubbish, or a tag.
  struct Hole {
    let range: Range<Int64>
    /// Bytes of the file before it that are in no hole.
    let shown: Int64
  }

  /// The findings so far.
  struct Found {
    /// In order.
    fileprivate(set) var holes: [Hole] = []
    /// Place where frames end and at least `MPEGStream.junkLimit` bytes of something else follow.
    fileprivate(set) var rubbish: Int64?
    /// End of the last frame, once something else was met.
    fileprivate(set) var end: Int64?
    /// True where the file ends inside the last frame.
    fileprivate(set) var endsInsideFrame = false
    fileprivate var header: MPEGHeader
    /// The next header to look at: all before it are frames and holes.
    fileprivate var place: Int64
  }

  private(set) var found: Found
  private let file: RegularFile

  init(of stream: MPEGStream, in file: RegularFile) {
    self.file = file
    found = Found(header: stream.header, place: stream.firstFrame)
    if stream.tagEnd < stream.firstFrame { leaveOut(stream.tagEnd..<stream.firstFrame) }
  }

  /// Takes what has been found elsewhere in the same file, if that is more.
  func take(_ other: Found) {
    if other.place > found.place || (found.end == nil && other.end != nil) { found = other }
  }

  /// Takes all up to `place`, where a frame begins, for frames, and does not look at them.
  func skip(to place: Int64) {
    if found.end == nil { found.place = max(found.place, place) }
  }

  /// Number among the shown bytes of the one at `place` in the file, which is in no hole.
  func shown(_ place: Int64) -> Int64 {
    let hole = found.holes.last { $0.range.upperBound <= place }
    return hole.map { place - $0.range.upperBound + $0.shown } ?? place
  }

  /// Looks at the headers up to `target`, a place in the file.
  func extend(to target: Int64) throws(SoundFileError) {
    while found.place < target, found.end == nil { try step() }
  }

  /// Returns the place in the file of byte `position` of what is shown, and the end of those that follow.
  func locate(_ position: Int64) -> (place: Int64, end: Int64) {
    let holes = found.holes
    var (low, high) = (0, holes.count)
    while low < high {
      let middle = (low + high) / 2
      if holes[middle].shown <= position { low = middle + 1 } else { high = middle }
    }
    let next = low < holes.count ? holes[low].range.lowerBound : found.end ?? file.size
    guard low > 0 else { return (position, next) }
    let last = holes[low - 1]
    return (last.range.upperBound + position - last.shown, next)
  }

  private func leaveOut(_ range: Range<Int64>) {
    let left = found.holes.last.map { $0.range.upperBound - $0.shown } ?? 0
    found.holes.append(Hole(range: range, shown: range.lowerBound - left))
  }

  private func step() throws(SoundFileError) {
    let word = try file.word(at: found.place)
    if let next = MPEGHeader(word), next.constant == found.header.constant {
      found.place += Int64(next.length)
      found.endsInsideFrame = found.place > file.size
    } else if found.place < file.size {
      try findRun()
    } else {
      found.end = file.size
    }
  }

  private func findRun() throws(SoundFileError) {
    let place = found.place
    let start = try MPEGStream.endOfTags(file, from: place)
    guard let run = try MPEGStream.firstRun(in: file, from: start) else {
      found.end = place
      let isTag = try MPEGStream.isTag(at: place, in: file)
      if file.size - start > Int64(MPEGStream.junkLimit), !isTag { found.rubbish = place }
      return
    }
    if run.place > place { leaveOut(place..<run.place) }
    (found.place, found.header) = (run.place + Int64(run.header.length), run.header)
  }
}
