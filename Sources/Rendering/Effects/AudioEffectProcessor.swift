// SPDX-License-Identifier: Apache-2.0

/// The part of an `AudioEffect` that has state: it processes one stretch of sound, frame after frame.
///
/// Used by one thread at a time, by different ones in turn. In a renderer's `effects` that is a thread that
/// converts, about two seconds before the frames are heard: not one that the sound server waits for. An effect
/// that neither allocates, locks nor waits in `process` can be used on any thread
/// (docs/effects.md says how to check that).
public protocol AudioEffectProcessor: AnyObject {
  /// Frames by which the sound comes out later than it goes in; constant.
  ///
  /// The engine takes them away: what comes out is heard at the media time at which it went in.
  var latency: Int { get }

  /// Frames in which the sound dies away after the last one, behind the latency; constant.
  var tail: Int { get }

  /// Frames before a frame that what is heard of that frame depends on; constant, 0 where it depends on none.
  ///
  /// Nothing is rewound: where an edit takes over, a new processor is given so many frames before, half a second
  /// at most, and takes over by a crossfade of 5 ms. With 0 there is none, and every frame is what it would have
  /// been. The latency does not count: a mere delay is 0.
  var history: Int { get }

  /// Processes `frameCount` interleaved frames in place; no more than the `maximumFrames` it was made for.
  func process(_ frames: UnsafeMutablePointer<Float>, frameCount: Int)
}

extension AudioEffectProcessor {
  /// 0.
  public var latency: Int { 0 }

  /// 0.
  public var tail: Int { 0 }

  /// 0.
  public var history: Int { 0 }
}
