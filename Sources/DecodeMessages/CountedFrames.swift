// SPDX-License-Identifier: Apache-2.0

/// The progress of a search for a file's length.
package struct CountedFrames: Equatable, Sendable {
  /// Heard frames found so far.
  package var reach: Int64
  package var isAtEnd: Bool
  /// Heard frames of the file, at the end; nil where they have no common count.
  package var frameCount: Int64?

  package init(reach: Int64, isAtEnd: Bool, frameCount: Int64?) {
    (self.reach, self.isAtEnd, self.frameCount) = (reach, isAtEnd, frameCount)
  }

  init?(_ reader: inout WireReader) {
    guard let reach = reader.frames(), let isAtEnd = reader.integer(UInt8.self),
      let frames = reader.frames(), reach >= 0
    else { return nil }
    self.init(reach: reach, isAtEnd: isAtEnd != 0, frameCount: frames < 0 ? nil : frames)
  }

  func write(to writer: inout WireWriter) {
    writer.add(reach)
    writer.add(UInt8(isAtEnd ? 1 : 0))
    writer.add(frameCount ?? -1)
  }
}
