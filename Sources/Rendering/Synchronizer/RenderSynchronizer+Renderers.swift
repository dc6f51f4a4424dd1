// SPDX-License-Identifier: Apache-2.0

import Preconditions
import Dispatch
public import MediaTime
import SampleBuffers

/// The queue on which the renderers of synchronizers are seen to, one after the other.
///
/// Not a global queue: its threads are those of Swift's tasks.
let renderersQueue = DispatchQueue(label: "attacca.renderers", qos: .userInitiated)

extension RenderSynchronizer {
  /// Makes `renderer` follow this clock, and drive it if it is the first.
  ///
  /// Several renderers start at one host time, half a second after all have enough to start with,
  /// and stay together: the others are played a little faster or slower by the first one's clock. One
  /// that is added while time runs joins where the others are by then.
  ///
  /// - Precondition: it has not been added to this synchronizer before, and the rate is not negative, or a
  ///   player enqueues and it is the only one.
  public func addRenderer(_ renderer: AudioRenderer) {
    changing.withLock { add(renderer) }
    observers.timelineChanged()
  }

  private func add(_ renderer: AudioRenderer) {
    changing.assertHeld()
    let (rate, time) = (self.rate, currentTime())
    require(
      rate >= 0 || renderers.isEmpty && renderer.isPlayers,
      "a renderer was added at a rate of \(rate); 0 and \(Self.rates) are permitted")
    let (count, delays, policy) = semaphore.withLock {
      require(
        !storedRenderers.contains { $0 === renderer },
        "a renderer was added to its synchronizer a second time")
      storedRenderers.append(renderer)
      shown.forget()
      return (storedRenderers.count, options.waitsForSufficientData, options.whenDry)
    }
    renderer.output.withLock {
      renderer.callbacks.timelineChanged = { [weak observers] in observers?.timelineChanged() }
    }
    renderer.setWaitsForSufficientData(delays)
    renderer.setRunsOn(policy == .runsOn)
    renderer.beginSteering(isFollower: count > 1)
    if count == 2 { follow() }
    if rate != 0 { renderer.setRate(rate) }
    let now = HostTime.now()
    let (start, ticks) = semaphore.withLock { (host.holdsUntil(now), host.ticks(atHostTime: now)) }
    if rate != 0, start == nil, count > 1 { return join([renderer]) }
    renderer.perform(.hold(at: RationalTime(time), fade: 0))
    if rate != 0, let start {
      schedule(renderer, at: start, ticks: ticks, fade: .none)
    } else if rate != 0 {
      renderer.perform(.start(at: nil, fade: 0))
    }
  }

  /// Stops `renderer` and lets it go; nothing happens if it is not here.
  ///
  /// - Returns: whether it was here.
  @discardableResult
  public func removeRenderer(_ renderer: AudioRenderer) -> Bool {
    remove(renderer, for: nil)
  }

  /// Lets `renderer` go, on behalf of the removal of a number; nothing happens where that is not the one
  /// that is due any more.
  ///
  /// - Returns: whether it was here.
  @discardableResult
  private func remove(_ renderer: AudioRenderer, for number: Int?) -> Bool {
    let (wasHere, removal) = changing.withLock { take(renderer, for: number) }
    if wasHere { observers.timelineChanged() }
    removal?.deadline?.cancel()
    removal?.completion(wasHere)
    return wasHere
  }

  private func take(_ renderer: AudioRenderer, for number: Int?) -> (wasHere: Bool, Removal?) {
    changing.assertHeld()
    let ticks = reading().mediaTicks
    let (wasHere, removal, count) = semaphore.withLock { () -> (Bool, Removal?, Int) in
      let key = ObjectIdentifier(renderer)
      if let number, !removals.isDue(key, number: number) { return (false, nil, 0) }
      let removal = removals.take(key)
      guard let i = storedRenderers.firstIndex(where: { $0 === renderer }) else {
        return (false, removal, storedRenderers.count)
      }
      storedRenderers.remove(at: i)
      if i == 0 { host.set(rate: storedRate, ticks: ticks, at: HostTime.now()) }
      shown.forget()
      return (true, removal, storedRenderers.count)
    }
    if wasHere {
      if count < 2 { stopFollowing() }
      renderers.first?.beginSteering(isFollower: false)
      renderer.perform(.stop(fade: fade.frames(at: renderer.format.sampleRate)))
    }
    return (wasHere, removal)
  }

  /// Lets `renderer` go when media time gets to `time`; at once where that is past or not numeric, or
  /// while media time goes backwards.
  ///
  /// What it has been given for `time` and later is not heard. Another call for the same renderer takes
  /// the place of this one. The corresponding call is
  /// `AVSampleBufferRenderSynchronizer.removeRenderer(_:at:completionHandler:)`.
  ///
  /// `completion` is called once, on an unspecified thread: with false where it was not here, or where
  /// another call took this one's place.
  public func removeRenderer(
    _ renderer: AudioRenderer, at time: MediaTime,
    completionHandler completion: @escaping @Sendable (Bool) -> Void = { _ in }
  ) {
    let key = ObjectIdentifier(renderer)
    // Whoever lets it go from here on completes this, whatever is under way below.
    let (number, old) = semaphore.withLock { () -> (Int?, Removal?) in
      guard storedRenderers.contains(where: { $0 === renderer }) else { return (nil, nil) }
      return removals.begin(key, completion: completion)
    }
    guard let number else { return completion(false) }
    old?.deadline?.cancel()
    old?.completion(false)
    let now = heard()
    guard time.isNumeric, time > now.time, rate >= 0 else {
      remove(renderer, for: number)
      return
    }
    renderer.flush(fromSourceTime: time) { _ in }
    let deadline = addDeadline(RationalTime(time), traversal: now.traversal, queue: renderersQueue)
    {
      [weak self, weak renderer] in
      if let renderer { self?.remove(renderer, for: number) }
    }
    let isStillDue = semaphore.withLock { removals.watch(key, number: number, deadline) }
    if !isStillDue { deadline.cancel() }
  }
}
