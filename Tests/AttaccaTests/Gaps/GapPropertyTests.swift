// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Foundation
@testable import Rendering
import TestFixtures
import TestSeeds
import Testing

/// Random lists, gaps, edits, seeks, skips and turns against a simulation, frame by frame.
@Suite struct GapPropertyTests {
  private struct Run {
    var random: SplitMix64
    let playback: GapPlayback
    var simulation: GapSimulation
    var log: [String] = []
    private var lastNumber = 0

    init(seed: UInt64) {
      random = SplitMix64(seed: seed)
      let gap = Int.random(in: 0...3_000, using: &random)
      playback = GapPlayback([], gap: gap)
      simulation = GapSimulation(items: [], gap: gap)
      simulation.items = (0..<Int.random(in: 1...6, using: &random)).map { _ in item() }
      playback.player.playlist.append(contentsOf: simulation.items.map(Self.made))
      log.append("\(gap) frames between \(simulation.items)")
    }

    static func made(_ item: GapSimulation.Item) -> PlaylistItem {
      PlaylistItem(
        path: "ramp \(item.number) \(item.length)", gap: item.gap.map(GapPlayback.time))
    }

    mutating func item() -> GapSimulation.Item {
      lastNumber += 1
      let own = Bool.random(using: &random) ? nil : Int.random(in: 0...2_000, using: &random)
      return GapSimulation.Item(
        number: lastNumber, length: Int.random(in: 1...6_000, using: &random), gap: own)
    }

    /// Pulls `count` frames and goes past a joint, or all there are; compares them behind the fade of the last
    /// operation.
    mutating func pull(_ count: Int) {
      var wanted: [Float] = []
      while wanted.count < count || (simulation.isAtJoint && !simulation.isOver),
        let value = simulation.pull()
      {
        wanted.append(value)
      }
      let heard = playback.offline.pull(wanted.count)
      log.append("pull \(wanted.count)")
      let fade = Fade.standard.frames(at: RampSource.rate)
      let wrong = firstDifference(Array(heard.dropFirst(fade)), Array(wanted.dropFirst(fade)))
      #expect(wrong == nil, "SEEDS=\(random.seed): \(wrong!), \(log)")
    }

    mutating func operate() {
      let player = playback.player
      playback.offline.settle()
      wait { player.currentItem?.path == Self.made(simulation.items[simulation.current]).path }
      let (items, current) = (simulation.items, simulation.current)
      var list = items
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        let place = Int.random(in: 0..<items[current].length, using: &random)
        log.append("seek to \(place)")
        simulation.start(current, at: place)
        playback.offline.splicing { player.seek(to: GapPlayback.time(place)) }
      case 1 where current + 1 < items.count && !simulation.isReversed:
        log.append("next")
        simulation.start(current + 1, at: 0)
        playback.offline.splicing { player.next() }
      case 2:
        let new = item()
        let place = Int.random(in: 0...items.count, using: &random)
        log.append("insert \(new) at \(place)")
        list.insert(new, at: place)
        player.playlist.insert(Self.made(new), at: place)
      case 3 where items.count > 1:
        let place = Int.random(in: 0..<items.count, using: &random)
        guard place != current else { return }
        log.append("remove \(place)")
        list.remove(at: place)
        player.playlist.remove(at: place)
      case 4 where items.count > 1:
        let source = Int.random(in: 0..<items.count, using: &random)
        let target = Int.random(in: 0..<items.count, using: &random)
        log.append("move \(source) to \(target)")
        list.insert(list.remove(at: source), at: target)
        player.playlist.move(from: source, to: target)
      case 5, 6:
        simulation.gap = Int.random(in: 0...3_000, using: &random)
        log.append("gap \(simulation.gap)")
        player.gap = GapPlayback.time(simulation.gap)
      case 7:
        log.append("turn")
        simulation.isReversed.toggle()
        playback.playback.turn(to: simulation.isReversed ? -1 : 1)
      default: return
      }
      simulation.edit(list)
      playback.offline.settle()
    }
  }

  /// From 1 on; random ones where `ATTACCA_SOAK` says how many times as much; those in `SEEDS` where that is given.
  private static var seeds: [UInt64] {
    if let given = SplitMix64.givenSeeds { return given }
    let soak = ProcessInfo.processInfo.environment["ATTACCA_SOAK"].flatMap(Int.init) ?? 1
    // The last one has ended backwards when it turns round, which nothing that plays takes up.
    return (0..<20 * soak).map { soak > 1 ? .random(in: 0..<1_000_000) : UInt64($0 + 1) }
      + [869_245]
  }

  @Test(arguments: seeds)
  func `any list sounds as the rules say while it is edited, skipped, sought in and turned`(
    seed: UInt64
  ) {
    var run = Run(seed: seed)
    run.playback.player.play()
    for _ in 0..<12 where !run.simulation.isOver {
      run.pull(Int.random(in: 20...4_000, using: &run.random))
      guard !run.simulation.isOver else { break }
      run.operate()
    }
    // An edit of the list may have the end be where playing is: silence fades out, then.
    let isEndedByEdit = run.simulation.isOver
    run.pull(.max)
    let rest = run.playback.offline.pullToEnd()
    let most = isEndedByEdit ? Fade.standard.frames(at: RampSource.rate) : 0
    #expect(
      rest.count <= most && rest.allSatisfy { $0 == 0 }, "SEEDS=\(seed): \(rest), \(run.log)")
  }
}
