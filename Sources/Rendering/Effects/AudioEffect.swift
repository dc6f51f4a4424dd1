// SPDX-License-Identifier: Apache-2.0

public import SampleBuffers

/// A change of the sound with its parameters: an equalizer, a limiter, one of your own.
///
/// A value without state; what has state is the processor that it makes. Other parameters are another
/// value, set as `AudioRenderer.effects`.
public protocol AudioEffect: Sendable {
  /// A processor for frames of `format`, which has processed nothing yet, with all memory that it needs.
  ///
  /// Called on any thread, whenever sound is prepared that does not continue what was prepared before: at
  /// a start, and where an edit, other parameters, another rate or another device takes over. Not called at
  /// the joints of items that follow each other: their sound is one stretch.
  ///
  /// The rate of `format` is the device's, also where another speed is heard; `maximumFrames` is the most
  /// that is processed at a time.
  func makeProcessor(for format: AudioFormat, maximumFrames: Int) -> any AudioEffectProcessor
}
