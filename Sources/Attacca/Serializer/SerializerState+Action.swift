// SPDX-License-Identifier: Apache-2.0

import MediaTime
import Rendering

extension SerializerState {
  /// A step that the serializer carries out for the state machine.
  enum Action {
    /// Let go of what decoders are at that nothing awaits any more.
    case letGoOfUnwanted
    /// Prepare a new timeline that begins with what is played of an item.
    case restart(PlayedRange, PlayOrder)
    /// Prepare what is heard from the playhead on, which is in an item; `needed` of it, where that is
    /// given.
    case restartAtPlayhead(PlayOrder, Occurrence, needed: RationalTime? = nil, fade: Fade? = nil)
    /// The same in the item that is heard, or in the current one where that is not known.
    case restartWhereHeard(PlayOrder, current: Occurrence, fade: Fade? = nil)
    /// Prepare what follows a time in or at the end of the first of some items, of which that one alone
    /// has frames.
    case prepare(PlayOrder, [DecodeAhead.Begun], joint: RationalTime?)
    /// Tell with `rejoin` what the line is like.
    case rejoin(PlayOrder, from: Occurrence)
    /// Tell with `refill` what the line is like.
    case refill
    /// The renderer plays a splice from now on.
    case install(PreparedSplice, SplicedLine)
    /// Take note that this is heard, as it will be.
    case hear(HeardPosition)
    /// Take note that the current item of a start goes past its end as it is now.
    case overrun(generation: Int)
    /// Nobody will hear the first frame of a start.
    case settle(generation: Int)
    /// Splice what is prepared in, where it is enough.
    case spliceIfPrepared
    /// Hand over what is ready, and decode on.
    case pump
  }
}
