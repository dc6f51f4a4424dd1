// SPDX-License-Identifier: Apache-2.0

extension SampleBufferPlayer {
  /// Has what has not been heard yet read again, where a source says something else now than it did.
  ///
  /// A quarter of a second is read, then it takes the place of what was prepared, at the first frame that the
  /// device still gives back, `earliestChange` from now: a crossfade of 5 ms leads over to it, which changes nothing
  /// where it is the same. The playhead is not moved. The items that follow are read again too.
  ///
  /// For a `GeneratorSource` whose function has new parameters, as a synthesiser, or files that have been written
  /// anew. Nothing happens where nothing is current.
  public func readAgain() { serializer.readAgain() }
}
