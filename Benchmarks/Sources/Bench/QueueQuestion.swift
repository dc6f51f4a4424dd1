// SPDX-License-Identifier: Apache-2.0

import Answers
@testable import Attacca
import Dispatch
import Glibc

/// A queue that is restarted, or continued with another list, until what it asks for is spliced in.
struct QueueQuestion: Question {
  enum Kind: String {
    case restart
    case `continue`
  }

  let kind: Kind
  var name: String { kind.rawValue }
  var asks: String {
    "how long \(kind.rawValue)Queue takes until it is spliced in, in lists of 1,000 and 1,000,000"
  }

  func answer(_ effort: Effort) throws -> [Answer] {
    let sounds = try QueueSounds()
    defer { sounds.remove() }
    let sizes = [1_000, 1_000_000]
    let queues = try sizes.map { try Queue(count: $0, sounds) }
    var times = [[Int]](repeating: [], count: sizes.count)
    var calls = times
    // By turns, so that what disturbs the machine disturbs both.
    for round in 0..<effort.times(500) {
      for (i, queue) in queues.enumerated() {
        let (call, all) =
          switch kind {
          case .restart: try queue.restart(round: round)
          case .continue: try queue.proceed(round: round)
          }
        calls[i].append(call)
        times[i].append(all)
      }
    }
    var answers: [Answer] = []
    for i in sizes.indices {
      for (what, times) in [("the call", calls[i]), ("spliced in", times[i])] {
        for percent in [50, 99] {
          answers.append(
            Answer(
              name: "\(sizes[i]) items, \(what), p\(percent)",
              value: Double(times.percentile(Double(percent))) / 1_000, unit: "µs"))
        }
      }
    }
    let ratio = Double(times[1].percentile(50)) / Double(times[0].percentile(50))
    return answers + [
      Answer(name: "p50 of a million", value: ratio, unit: "× that of 1,000", isJudged: true)
    ]
  }

  /// A queue of two sounds in turn, pulled by the one who measures.
  private final class Queue {
    private let renderer = OfflineRenderer(format: Sounds.stereo48)
    private let serializer: SampleBufferSerializer
    private let sounds: QueueSounds
    /// The same list twice, with the first or the second sound behind the middle item.
    private let lists: [PlaylistItems]
    private let middle: Int

    init(count: Int, _ sounds: QueueSounds) throws {
      self.sounds = sounds
      serializer = SampleBufferSerializer(
        renderer: renderer, synchronizer: RenderSynchronizer(), fade: .none)
      middle = count / 2
      let playlist = Playlist()
      playlist.append(contentsOf: (0..<count).map { PlaylistItem(path: sounds.paths[$0 % 2]) })
      let middle = middle
      lists = sounds.paths.map { path in
        playlist.replace(at: middle + 1, with: PlaylistItem(path: path))
        return playlist.items
      }
      serializer.restartQueue(with: lists[0], from: middle)
      serializer.resumeQueue()
      try pull(1) { $0 == self.sounds.frame(0, of: self.middle % 2) }
    }

    /// Nanoseconds of the call, and until another item is what is pulled next.
    func restart(round: Int) throws -> (call: Int, all: Int) {
      let index = (round &* 7_919 &+ 1) % (lists[0].count - 2)
      let frame = 1_000 + round % 1_000
      let time = try time {
        serializer.restartQueue(
          with: lists[0], from: index,
          atOffset: MediaTime(value: Int64(frame), timescale: 48_000))
      }
      let item = lists[0][index].path == sounds.paths[0] ? 0 : 1
      try pull(1) { $0 == self.sounds.frame(frame, of: item) }
      return time
    }

    /// Nanoseconds of the call, and until another item is what follows the one that is heard; every
    /// tenth time that is listened to.
    func proceed(round: Int) throws -> (call: Int, all: Int) {
      let next = (round + 1) % 2
      let time = try time { serializer.continueQueue(with: lists[next], from: middle) }
      guard round % 10 == 0 else { return time }
      let item = middle % 2
      try pull(QueueSounds.length - 1) {
        $0 == self.sounds.frame(QueueSounds.length - 1, of: item)
      }
      try pull(1) { $0 == self.sounds.frame(0, of: next) }
      serializer.restartQueue(with: lists[next], from: middle)
      try settle()
      try pull(1) { $0 == self.sounds.frame(0, of: item) }
      return time
    }

    private func time(_ call: () -> Void) throws -> (call: Int, all: Int) {
      let begin = Effort.now()
      call()
      let called = Effort.now()
      try settle()
      return (called - begin, Effort.now() - begin)
    }

    /// Until nothing is on its way.
    private func settle() throws {
      let end = Effort.now() + 10_000_000_000
      let serializer = serializer
      while serializer.queue.sync(execute: { serializer.state.isChanging }) {
        if Effort.now() > end { throw BenchFailure("not in 10 s: a splice") }
        usleep(20)
      }
    }

    /// Pulls `count` frames and looks at the last one.
    private func pull(_ count: Int, _ isRight: ([Float]) -> Bool) throws {
      var heard = [Float](repeating: 0, count: 2 * count)
      var done = 0
      try BenchFailure.waitUntil("\(count) frames are there") {
        done += heard.withUnsafeMutableBufferPointer {
          renderer.render(frames: count - done, into: $0.baseAddress! + 2 * done)
        }
        return done == count
      }
      let last = Array(heard.suffix(2))
      try BenchFailure.unless(isRight(last), "\(last) is heard")
    }
  }
}

/// Two files whose frames name themselves, and which of the two they are in.
struct QueueSounds {
  static let length = 48_000
  private let folder: String
  let paths: [String]

  init() throws {
    var template = Array("/tmp/attacca-queue-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw BenchFailure("mkdtemp: \(String(cString: strerror(errno)))")
    }
    let folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    self.folder = folder
    paths = (0..<2).map { "\(folder)/\($0).wav" }
    for (item, path) in paths.enumerated() {
      let writer = try SoundFileWriter(
        path: path, format: Sounds.stereo48,
        fileType: WrittenFileType(container: .wav, sampleFormat: .float32))
      let samples = (0..<Self.length).flatMap { frame($0, of: item) }
      try samples.withUnsafeBufferPointer { try writer.write($0) }
      try writer.finish()
    }
  }

  func frame(_ number: Int, of item: Int) -> [Float] {
    [Float(number + 1) / Float(1 << 20), Float(item + 1) / 128]
  }

  func remove() {
    for path in paths { unlink(path) }
    rmdir(folder)
  }
}
