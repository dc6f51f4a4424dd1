// SPDX-License-Identifier: Apache-2.0

import MediaTime

extension AudioRenderer {
  /// A change that needs the device's position: carried out in order, under the output's lock, when
  /// the output has told it.
  enum Command {
    /// Media time runs, from a time or from where it is held.
    case start(at: RationalTime?, fade: Int)
    /// Media time holds where it is.
    case stop(fade: Int)
    /// Media time holds at a time; what is heard fades out.
    case hold(at: RationalTime, fade: Int)
    /// Media time holds at a time until a host time, and runs from then on.
    case schedule(atHostTime: UInt64, RationalTime, fade: Int)
    /// Something is due before the scheduled start of this number.
    case advanceSchedule(Int)
    /// `staged` is heard instead of what follows; at once, or at a place of the timeline.
    case replace(at: SplicePlace?, StagedContent, fade: Int, SpliceCompletion?)
    /// Content from a time on is forgotten.
    case cut(RationalTime, @Sendable (Bool) -> Void)
    /// All content is forgotten; `isFlush` where whoever enqueues has not asked for it.
    case clear(fade: Int, isFlush: Bool)
    /// The gain is what is stored now.
    case volume
    /// The gain becomes what is stored now, within so long.
    case fadeVolume(RationalTime)
    /// The content of one playing of an item, or of all that are meant, is heard at a factor from now on.
    case contentGain(Float, where: @Sendable (ContentKey) -> Bool)
    /// The same with the volume of that content as a function of its time; nil for 1.
    case contentVolume(VolumeCurve?, where: @Sendable (ContentKey) -> Bool)
    /// The volume is another function of media time from now on; nil for 1.
    case timelineVolume(VolumeCurve?)
    /// There is content again after a stall.
    case resume
    /// Content was added where the output has silence, as media time ran on.
    case fillIn

    /// Frames of the fade that hides where it begins, 0 where it must be exact.
    var fade: Int {
      switch self {
      case .start(_, let fade), .stop(let fade), .hold(_, let fade), .clear(let fade, _),
        .schedule(_, _, let fade):
        fade
      case .replace(nil, _, let fade, _): fade
      case .replace, .cut, .volume, .fadeVolume, .contentGain, .contentVolume, .timelineVolume,
        .resume, .fillIn, .advanceSchedule:
        0
      }
    }
  }
}
