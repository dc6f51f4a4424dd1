// SPDX-License-Identifier: Apache-2.0
internal import CPulse

/// Timing requests under way, oldest first, in a fixed number of places.
///
/// The server answers in the order of the questions, so the first one in is what an answer is for.
struct TimingRequests: ~Copyable {
  /// One question.
  struct Request {
    let operation: OpaquePointer
    let token: Int
    /// Frames from the first one of the stream to where those written before ended.
    let written: Int64
    /// Host time of the question.
    let sent: UInt64
  }

  /// At 50 ms a question, most of a second of a server that does not answer.
  static let capacity = 16

  private let places: UnsafeMutablePointer<Request>
  private var first = 0
  private(set) var count = 0

  init() { places = .allocate(capacity: Self.capacity) }

  /// Host time of the first question without an answer, nanoseconds; nil where each has one.
  var oldestSent: UInt64? { count > 0 ? places[first].sent : nil }

  var isFull: Bool { count == Self.capacity }

  /// Puts a question behind the others; nothing happens where there is no place.
  mutating func append(_ request: Request) {
    guard !isFull else { return }
    (places + (first + count) % Self.capacity).initialize(to: request)
    count += 1
  }

  /// Takes the oldest one out, if there is one; its operation is the caller's to release.
  mutating func popFirst() -> Request? {
    guard count > 0 else { return nil }
    defer {
      first = (first + 1) % Self.capacity
      count -= 1
    }
    return places[first]
  }

  /// Makes sure that no answer comes any more.
  mutating func cancelAll() {
    while let request = popFirst() {
      pa_operation_cancel(request.operation)
      pa_operation_unref(request.operation)
    }
  }

  /// The stream has closed by then, which cancels all.
  deinit { places.deallocate() }
}
