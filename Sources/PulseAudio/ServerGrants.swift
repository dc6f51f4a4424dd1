// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Lengths that the server has granted a stream, the volume that it gives it, and its wish, as told last.
///
/// Written with the connection's lock held; any thread reads it, each value by itself.
struct ServerGrants: ~Copyable {
  private let target = Atomic<Int>(0)
  private let request = Atomic<Int>(0)
  private let factor: Atomic<UInt32>
  private let mute: Atomic<Bool>
  private let cork = Atomic(false)

  /// The grants of a stream that is opened at a volume.
  init(volume: Float, isMuted: Bool) {
    factor = Atomic(volume.bitPattern)
    mute = Atomic(isMuted)
  }

  /// Frames that the server holds when it is full.
  var targetLength: Int { target.load(ordering: .relaxed) }
  /// Frames that must be missing before the server asks.
  var minimumRequest: Int { request.load(ordering: .relaxed) }
  /// Factor on the samples, 1 as written.
  var volume: Float { Float(bitPattern: factor.load(ordering: .relaxed)) }
  /// True where the server mutes the stream.
  var isMuted: Bool { mute.load(ordering: .relaxed) }

  /// True where the server wants the stream to be corked.
  var isCorkRequested: Bool { cork.load(ordering: .relaxed) }

  /// Takes a wish in.
  func note(isCorkRequested: Bool) { cork.store(isCorkRequested, ordering: .relaxed) }

  /// Takes other lengths in, in frames.
  func grant(targetLength: Int, minimumRequest: Int) {
    target.store(targetLength, ordering: .relaxed)
    request.store(minimumRequest, ordering: .relaxed)
  }

  /// Takes a volume in.
  ///
  /// - Returns: whether it is another one.
  func note(volume: Float, isMuted: Bool) -> Bool {
    guard volume != self.volume || isMuted != self.isMuted else { return false }
    factor.store(volume.bitPattern, ordering: .relaxed)
    mute.store(isMuted, ordering: .relaxed)
    return true
  }
}
