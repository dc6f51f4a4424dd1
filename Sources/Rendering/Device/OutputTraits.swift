// SPDX-License-Identifier: Apache-2.0

package import SampleBuffers

/// The format of an output, and how much it is given; another device has others.
package struct OutputTraits {
  /// Format of the frames that the device plays.
  package var format: AudioFormat
  /// Frames that the device is given ahead of what it has read.
  package var targetLength: Int64
  /// Frames that have to be there before the device starts, where it is given as many.
  package var startLength: Int64
  /// The waiting for content of whoever takes frames as fast as they are made; nil where they are taken in a
  /// device's time.
  package var puller: (any OutputPuller)?

  /// Traits of an output that starts with a quarter of a second, where `startLength` says nothing else.
  package init(
    format: AudioFormat, targetLength: Int64, startLength: Int64? = nil,
    puller: (any OutputPuller)? = nil
  ) {
    (self.format, self.targetLength, self.puller) = (format, targetLength, puller)
    self.startLength = startLength ?? Int64(format.sampleRate / 4)
  }
}
