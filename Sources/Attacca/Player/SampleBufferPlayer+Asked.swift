// SPDX-License-Identifier: Apache-2.0

package import MediaTime

// What was asked for last, which may not be heard yet: who answers a command tells this.
extension SampleBufferPlayer {
  /// The item that is heard, or is to be by what was asked for last, and the offset in it; nil when stopped.
  ///
  /// After a skip it is the new item at once, where `currentItem` is the old one until the new one is heard.
  package var asked: (item: PlaylistItem, offset: MediaTime)? {
    let hearing = playlist.queue.hearing?()
    var state = playlist.queue.snapshot
    if let hearing { state.hear(hearing) }
    guard let current = state.current, let index = state.tree.index(of: current.id) else {
      return nil
    }
    return (state.tree[index], MediaTime(state.position(hearing)))
  }
}
