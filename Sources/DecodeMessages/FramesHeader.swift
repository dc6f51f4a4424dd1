// SPDX-License-Identifier: Apache-2.0

/// The header of decoded samples: Float32, interleaved, as this machine has them.
package struct FramesHeader: Equatable, Sendable {
  package var format: WireFormat
  /// Frames that follow; 0 at the end, and where the next frames have another format: that of this header.
  package var count: Int
  package var isAtEnd: Bool
  /// Number of times that something could not be decoded so far; it is silent in its place.
  package var damages: Int
  /// Heard frames of the file: known at the latest at its end.
  package var frameCount: Int64?
  /// The place in the window behind the last packet that has been decoded; nil where the container does not tell it.
  package var place: Int64?

  package init(
    format: WireFormat, count: Int, isAtEnd: Bool, damages: Int, frameCount: Int64?,
    place: Int64? = nil
  ) {
    (self.format, self.count, self.isAtEnd) = (format, count, isAtEnd)
    (self.damages, self.frameCount, self.place) = (damages, frameCount, place)
  }

  init?(_ reader: inout WireReader) {
    guard let format = WireFormat(&reader), let count = reader.integer(UInt32.self),
      let isAtEnd = reader.integer(UInt8.self), let damages = reader.integer(UInt32.self),
      let frames = reader.frames(), let place = reader.integer(Int64.self),
      count <= DecodeProtocol.mostFrames
    else { return nil }
    self.init(
      format: format, count: Int(count), isAtEnd: isAtEnd != 0, damages: Int(damages),
      frameCount: frames < 0 ? nil : frames,
      place: (0...ShownFile.longestFile).contains(place) ? place : nil)
  }

  func write(to writer: inout WireWriter) {
    format.write(to: &writer)
    writer.add(UInt32(clamping: count))
    writer.add(UInt8(isAtEnd ? 1 : 0))
    writer.add(UInt32(clamping: damages))
    writer.add(frameCount ?? -1)
    writer.add(place ?? -1)
  }
}
