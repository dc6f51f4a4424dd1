// SPDX-License-Identifier: Apache-2.0

import Preconditions
import Dispatch
public import MediaTime

extension RenderSynchronizer {
  /// Media time at every `interval` of it while it runs, and at every jump, start and stop: what
  /// `addPeriodicTimeObserver` tells.
  ///
  /// Who has not received one before the next comes is told the later one only.
  ///
  /// - Precondition: `interval` is numeric and positive.
  public func periodicTimes(forInterval interval: MediaTime) -> TimeSequence {
    let source = EventSource<MediaTime> { last, next in
      last = next
      return true
    }
    let times = source.subscribe()
    let observation = addPeriodicTimeObserver(
      forInterval: interval, queue: DispatchQueue(label: "attacca.times")
    ) { source.send($0) }
    return TimeSequence(times: times, observation: observation)
  }

  /// Each of `times` whenever it has been crossed, as `addBoundaryTimeObserver` tells.
  ///
  /// - Precondition: `times` is not empty and all of them are numeric.
  public func boundaryTimes(_ times: [MediaTime]) -> TimeSequence {
    let source = EventSource<MediaTime>()
    let heard = source.subscribe()
    require(!times.isEmpty, "0 boundary times; 1 and more are permitted")
    require(times.allSatisfy(\.isNumeric), "boundary times of \(times); numbers are permitted")
    let observation = observers.addBoundaries(
      times.map(MediaTicks.ticks), queue: DispatchQueue(label: "attacca.times")
    ) { source.send(MediaTime(value: $0, timescale: Int32(MediaTicks.perSecond))) }
    return TimeSequence(times: heard, observation: observation)
  }
}
