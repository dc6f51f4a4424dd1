// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
@testable import Rendering
import Testing

@Suite struct EventSourceTests {
  private func collect(_ events: EventSequence<Int>) async -> [Int] {
    var all: [Int] = []
    for await event in events { all.append(event) }
    return all
  }

  @Test func `every subscriber gets every event from its subscription on, in order`() async {
    var source: EventSource<Int>? = EventSource()
    source?.send(0)
    let early = source!.subscribe()
    source?.send(1)
    let late = source!.subscribe()
    source?.send(2)
    source = nil
    #expect(await collect(early) == [1, 2])
    #expect(await collect(late) == [2])
  }

  @Test func `a block on a queue is called with every event, in order, until it is cancelled`() {
    let source = EventSource<Int>()
    let queue = DispatchQueue(label: "observer")
    let told = Told()
    let events = source.subscribe()
    source.send(1)
    let observation = events.observe(on: queue) { told.numbers.append($0) }
    for events in [2...500, 501...1_000] {
      for event in events { source.send(event) }
      // What was sent is delivered by now, or by a block that is on the queue already; then nothing is
      // under way, and the next event has to begin a delivery.
      #expect(queue.sync { told.numbers } == Array(1...events.upperBound))
    }
    observation.cancel()
    source.send(1_001)
    #expect(queue.sync { told.numbers.count } == 1_000)
  }

  /// @unchecked: touched on one queue.
  private final class Told: @unchecked Sendable {
    var numbers: [Int] = []
    var ends: [EventSequenceEnd] = []
  }

  @Test func `a sequence says why it ended, once all that came before has been received`() async {
    var source: EventSource<Int>? = EventSource()
    let (kept, fallen, cancelled) = (
      source!.subscribe(), source!.subscribe(), source!.subscribe()
    )
    let task = Task { await collect(cancelled) }
    task.cancel()
    _ = await task.value
    #expect(cancelled.end == .cancelled)
    for event in 0...EventBuffer<Int>.limit { source?.send(event) }
    #expect(fallen.end == nil)
    #expect(await collect(fallen).count == EventBuffer<Int>.limit + 1)
    #expect(fallen.end == .fellBehind)
    let late = source!.subscribe()
    source?.send(1)
    #expect(late.end == nil)
    source = nil
    #expect(late.end == nil)
    #expect(await collect(late) == [1])
    #expect(late.end == .sourceIsGone)
    #expect(kept.end == nil)
  }

  @Test func `an observer is told why its sequence ended, behind the last event and once`() {
    let queue = DispatchQueue(label: "observer")
    let told = Told()
    for isLeftBehind in [false, true] {
      var source: EventSource<Int>? = EventSource()
      let events = source!.subscribe()
      let count = isLeftBehind ? EventBuffer<Int>.limit + 1 : 3
      for event in 0..<count { source?.send(event) }
      if !isLeftBehind { source = nil }
      let observation = events.observe(on: queue) {
        told.numbers.append($0)
      } ended: { end in
        told.ends.append(end)
      }
      #expect(queue.sync { told.numbers } == Array(0..<count))
      #expect(queue.sync { told.ends } == [isLeftBehind ? .fellBehind : .sourceIsGone])
      source = nil
      observation.cancel()
      #expect(queue.sync { told.ends.count } == 1)
      queue.sync { (told.numbers, told.ends) = ([], []) }
    }
  }

  @Test func `the changes of a playlist that is gone say so`() async {
    var playlist: Playlist? = Playlist()
    let changes = playlist!.changes
    playlist?.append(PlaylistItem(path: "a"))
    #expect(changes.end == nil)
    playlist = nil
    var count = 0
    for await _ in changes { count += 1 }
    #expect(count == 1 && changes.end == .sourceIsGone)
  }

  @Test func `an event that replaces the one before it is told once`() async {
    var source: EventSource<Int>? = EventSource { last, next in
      guard last / 10 == next / 10 else { return false }
      last = next
      return true
    }
    let events = source!.subscribe()
    for event in [1, 2, 3, 41, 5, 6, 77] { source?.send(event) }
    source = nil
    #expect(await collect(events) == [3, 41, 6, 77])
  }

  @Test func `what was received already is not replaced`() async {
    let source = EventSource<Int> { last, next in
      last = next
      return true
    }
    var events = source.subscribe().makeAsyncIterator()
    source.send(1)
    #expect(await events.next() == 1)
    source.send(2)
    #expect(await events.next() == 2)
  }

  @Test func `a subscriber that falls behind is ended, and no one waits for it`() async {
    let source = EventSource<Int>()
    let (slow, quick) = (source.subscribe(), source.subscribe())
    var quickEvents = quick.makeAsyncIterator()
    let limit = EventBuffer<Int>.limit
    for event in 0..<(limit + 500) {
      source.send(event)
      if await quickEvents.next() != event { Issue.record("the quick one missed \(event)") }
    }
    let told = await collect(slow)
    #expect(told == Array(0..<told.count))
    #expect((limit...(limit + 1)).contains(told.count))
  }

  @Test func `cancelling the task ends its subscription only`() async {
    let source = EventSource<Int>()
    let (first, second) = (source.subscribe(), source.subscribe())
    let task = Task { await collect(first) }
    task.cancel()
    #expect(await task.value == [])
    source.send(7)
    var events = second.makeAsyncIterator()
    #expect(await events.next() == 7)
    var ended = first.makeAsyncIterator()
    #expect(await ended.next() == nil)
  }

  @Test func `a released subscription takes nothing more`() {
    let source = EventSource<Int>()
    var events: EventSequence<Int>? = source.subscribe()
    let buffer = events!.buffer.events
    #expect(!buffer.isAbandoned)
    events = nil
    #expect(buffer.isAbandoned)
    source.send(1)
  }

  @Test func `a waiting subscriber ends with the source`() async {
    var source: EventSource<Int>? = EventSource()
    let events = source!.subscribe()
    let task = Task { await collect(events) }
    source?.send(1)
    source = nil
    #expect(await task.value == [1])
  }

  @Test func `events of two threads reach both subscribers, each thread's in order`() async {
    var source: EventSource<Int>? = EventSource()
    let subscriptions = [source!.subscribe(), source!.subscribe()]
    let tasks = subscriptions.map { events in Task { await collect(events) } }
    onThreads(2) { [source] thread in
      for i in 0..<2_000 { source?.send(2 * i + thread) }
    }
    source = nil
    for task in tasks {
      let events = await task.value
      for thread in 0...1 {
        let own = events.filter { $0 % 2 == thread }
        #expect(own == (0..<2_000).map { 2 * $0 + thread })
      }
    }
  }
}
