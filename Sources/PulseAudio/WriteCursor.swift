// SPDX-License-Identifier: Apache-2.0

/// Place in a stream at which its writes go on, and the frames that the server may hold.
///
/// A pure value: whoever writes tells it so, with the connection's lock held.
struct WriteCursor: Hashable {
  /// The number of the stream's first frame.
  private(set) var first: Int64 = 0
  /// The frame behind the last one written.
  private(set) var next: Int64 = 0
  /// The frame behind the furthest one that the server may hold.
  private(set) var end: Int64 = 0
  /// The frame at the server's write index; nil while that is not known for certain.
  private(set) var index: Int64?

  /// True until a frame has been written.
  var isUntouched: Bool { end == first }

  /// Counts the first frame as `frame`, where none has been written.
  mutating func begin(at frame: Int64) { (first, next, end, index) = (frame, frame, frame, nil) }

  /// Counts all frames `distance` lower.
  mutating func count(back distance: Int64) {
    first -= distance
    next -= distance
    end -= distance
    index = index.map { $0 - distance }
  }

  /// The server's write index may have moved by itself.
  mutating func forgetIndex() { index = nil }

  /// Frames up to `frame` have been written, and none behind that since.
  mutating func wrote(upTo frame: Int64) {
    (next, index) = (frame, frame)
    end = max(end, frame)
  }

  /// Frames that were written from `frame` on are silence now, and to be written again.
  mutating func truncated(at frame: Int64) { (next, end, index) = (frame, frame, nil) }

  /// The server holds no frame from `frame` on, whatever was written there before.
  mutating func ended(at frame: Int64) { end = frame }
}
