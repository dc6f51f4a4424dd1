// SPDX-License-Identifier: Apache-2.0

/// Numbers of the frames that are decoded, counted from the first one, by their order and by their times.
///
/// A pure value: whoever decodes tells it what comes.
struct FrameNumbering: Equatable {
  /// The place of decoded frames.
  enum Place: Equatable {
    /// Their number cannot be told.
    case unknown
    /// They are the next ones.
    case next
    /// Frames from `next` up to this number are missing before them.
    case behindGap(upTo: Int64)
  }

  let times: FrameTimes
  /// Frames by which a time may differ from the order before it counts as a jump.
  private let tolerance: Int64
  /// Number of the frame that is decoded next.
  private(set) var next: Int64 = 0
  /// Number of the first frames after the last seek.
  private(set) var landing: Int64 = 0
  /// True where the number of the frames that come next is told by their time only.
  private(set) var isLost = false
  /// True where times do not go on by what is decoded: parts were put behind each other.
  private(set) var hasJumps: Bool
  /// True where something was damaged since the last frames: what is missing is found by their time.
  private var isMissing = false

  /// Numbers from 0 on; times may differ from them by the `firstPacket`'s frames.
  init(times: FrameTimes, firstPacket: Int, hasJumps: Bool) {
    (self.times, tolerance, self.hasJumps) = (times, Int64(firstPacket), hasJumps)
  }

  /// Something between the last frames and the next cannot be decoded.
  mutating func noteDamage() { isMissing = true }

  /// Frames come, with a time where they have one.
  mutating func place(at time: Int64?) -> Place {
    let found = time.flatMap(times.frame)
    defer { isMissing = isLost }
    if isLost {
      guard let found else { return .unknown }
      (next, landing, isLost) = (found, found, false)
      return .next
    }
    guard let found else { return .next }
    if isMissing, found > next { return .behindGap(upTo: found) }
    if abs(found - next) > tolerance { hasJumps = true }
    return .next
  }

  /// So many frames have been decoded, or passed by.
  mutating func advance(by frames: Int64) { next += frames }

  /// The frames up to `number` are taken as silent.
  mutating func skipGap(upTo number: Int64) { next = number }

  /// Decoding begins anew with the first frame.
  mutating func restart() { (next, isLost, isMissing) = (0, false, false) }

  /// Decoding goes on elsewhere: the times of the next frames tell where.
  mutating func jump() { (isLost, isMissing) = (true, false) }
}
