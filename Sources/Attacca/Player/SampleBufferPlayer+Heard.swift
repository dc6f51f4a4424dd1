// SPDX-License-Identifier: Apache-2.0

package import MediaTime

extension SampleBufferPlayer {
  /// The item that the clock says is heard, and the offset heard in it; nil where nothing is.
  ///
  /// Both are of one reading, so that no offset is another item's: `currentSpan` and `currentTime` one after the other
  /// may lie on two sides of a skip.
  package var heard: (span: ItemSpan, offset: MediaTime)? {
    guard let (hearing, span, _) = serializer.hearing else { return nil }
    let offset = span.duration.map { min($0, hearing.offset) } ?? hearing.offset
    return (span, MediaTime(offset))
  }

  /// True from the end of the list's last item, heard or skipped, until another begins; backwards, of its first.
  package var isBehindAll: Bool {
    let state = playlist.queue.snapshot
    guard case .ended(let gap) = state.cursor else { return false }
    return state.isReversed ? gap == 0 : gap == state.tree.count
  }
}
