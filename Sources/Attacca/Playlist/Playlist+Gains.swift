// SPDX-License-Identifier: Apache-2.0

import Rendering

extension Playlist {
  /// Sets the decibels by which the item with identity `id` is louder than its source, whenever it plays.
  ///
  /// While it is heard, the factor goes in a straight line to the new one over 5 ms, from the frame on at which
  /// any edit would be heard. A gain that `SampleBufferPlayer.setCurrentGain(_:)` gave it is forgotten.
  ///
  /// - Throws: `PlaylistError` when it is not here.
  /// - Precondition: `gain` is in -120...40.
  @discardableResult
  public func setGain(_ gain: Float, of id: PlaylistItem.ID) throws(PlaylistError) -> Edit {
    PlaylistItem.check(gain: gain)
    return try queue.edit { state, _ throws(PlaylistError) in
      guard let index = state.tree.index(of: id) else {
        throw PlaylistError(id: id, call: "setGain")
      }
      state.setGain(gain, at: index)
      return [id]
    }
  }

  /// Sets the volume of the item with identity `id` as a function of the time within it, whenever it plays.
  ///
  /// While it is heard, the volume goes in a straight line to what the new automation says 5 ms later, from the
  /// frame on at which any edit would be heard.
  ///
  /// - Throws: `PlaylistError` when it is not here.
  @discardableResult
  public func setVolumeAutomation(
    _ automation: VolumeAutomation, of id: PlaylistItem.ID
  ) throws(PlaylistError) -> Edit {
    try queue.edit { state, _ throws(PlaylistError) in
      guard let index = state.tree.index(of: id) else {
        throw PlaylistError(id: id, call: "setVolumeAutomation")
      }
      state.setVolumeAutomation(automation, at: index)
      return [id]
    }
  }
}
