// SPDX-License-Identifier: Apache-2.0

public import MediaTime

// What is loaded, with the names of `AVPlayerItem`; any thread. Nothing is while nobody has the source open.
extension HTTPSource {
  /// The parts of the sound that are loaded, in order.
  ///
  /// Bytes are taken for times by the average of the whole, or of what has been decoded of it so far: exact where all
  /// seconds have the same number of bytes.
  public var loadedTimeRanges: [MediaTimeRange] {
    if let stream = standing.values {
      let end = MediaTime(value: Int64(stream.loaded * 1_000), timescale: 1_000)
      return stream.loaded > 0 ? [MediaTimeRange(start: .zero, end: end)] : []
    }
    guard let standing = present?.standing, let rate = standing.bytesPerSecond else { return [] }
    func time(_ place: Int64) -> MediaTime {
      MediaTime(value: Int64(Double(place) / rate * 1_000), timescale: 1_000)
    }
    return standing.loaded.ranges.map {
      MediaTimeRange(start: time($0.lowerBound), end: time($0.upperBound))
    }
  }

  /// The part of the bytes that is loaded, 0 to 1; nil where nobody knows how many there are.
  public var loadedPortion: Double? {
    if let stream = standing.values {
      return stream.facts.seconds.map { $0 > 0 ? min(1, stream.loaded / $0) : 0 }
    }
    guard let standing = present?.standing, let size = standing.size, size > 0 else { return nil }
    return Double(standing.loaded.byteCount) / Double(size)
  }

  /// True where as much is loaded ahead of what is read as is wanted, or all up to the end.
  ///
  /// `preferredForwardBufferDuration` is wanted, or five seconds. Of a stream of segments, which is loaded one segment
  /// ahead, it is true where the last one came in less time than it lasts, and nothing is waited for.
  public var isPlaybackLikelyToKeepUp: Bool {
    if let stream = standing.values {
      return stream.isAtEnd || stream.isFast && !stream.isStarved
    }
    guard let standing = present?.standing, let ahead = standing.ahead else { return false }
    if let size = standing.size, standing.place + ahead >= size { return true }
    let wanted = preferredForwardBufferDuration
    guard let rate = standing.bytesPerSecond else { return false }
    return Double(ahead) / rate >= (wanted > 0 ? wanted : 5)
  }

  /// True where what is read next is not loaded: what has been decoded is all that can be heard.
  public var isPlaybackBufferEmpty: Bool {
    standing.values?.isStarved ?? present?.standing.isStarved ?? false
  }

  /// True where nothing more is loaded, as there is no room for it or enough; never of a stream of segments.
  public var isPlaybackBufferFull: Bool {
    standing.values == nil && present?.standing.isPaused ?? false
  }

  /// Seconds of sound that are loaded ahead of what is read; 0, the default, for all there is room for.
  ///
  /// Of a stream of segments one segment is loaded ahead, whatever this says.
  public var preferredForwardBufferDuration: Double {
    get { wishes.forwardBuffer }
    set {
      wishes.forwardBuffer = max(0, newValue)
      present?.prefer(newValue)
    }
  }

  /// Facts of it where it is a stream of segments (HLS); nil for anything else, and before it has been open.
  public var segmentedStream: SegmentedStream? { standing.values?.facts }

  /// True for a broadcast, which has no end and no way back; nil while the server has not answered.
  public var isBroadcast: Bool? { standing.values?.facts.isLive ?? present?.standing.broadcast }
}
