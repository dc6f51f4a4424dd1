// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Foundation
import MediaTime
@testable import Rendering
import TestSeeds

/// A player that is paused, flushed and edited at random while its output keeps its answers back, a few times at once.
///
/// None of that loses a frame of the items that are heard, but for the fades of a flush.
final class HeldAnswersRun {
  private static let rate = 48_000
  private static let fade = Fade.standard.frames(at: rate)

  private var generator: SplitMix64
  private let output: SteppedOutput
  private let player: SampleBufferPlayer
  /// Position of the output when it began to keep answers back; nil where it answers.
  private var held: StreamFrame?
  private var numbers = 0
  private var done: [String] = []
  /// Frames of each item, by its number.
  private var lengths: [Int: Int] = [:]

  init(seed: UInt64) {
    generator = SplitMix64(seed: seed)
    output = SteppedOutput(
      reach: .random(in: 0...2_048, using: &generator), sampleRate: Self.rate)
    output.record()
    player = SampleBufferPlayer(
      renderer: AudioRenderer(output: output, quality: .veryHigh), fade: .none,
      decoder: DecoderWatchdog(timeout: 600) { (path: String) throws(SoundFileError) in
        NumberedSource(path)
      })
  }

  private func random(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }

  private func newItem() -> PlaylistItem {
    numbers += 1
    lengths[numbers] = [20_000, 40_000, NumberedSource.longest][random(0...2)]
    return PlaylistItem(path: "\(numbers) \(lengths[numbers]!)")
  }

  /// Has so many operations done, and all played to the end.
  ///
  /// - Returns: what was not as it should be.
  func fault(operations: Int) -> String? {
    for _ in 0..<6 { player.playlist.append(newItem()) }
    player.play()
    for _ in 0..<operations {
      operate()
      for _ in 0..<random(0...2) { step(random(1...12_000)) }
    }
    answer()
    player.play()
    for _ in 0..<1_000 where player.currentItem != nil { step(48_000) }
    guard player.currentItem == nil else { return "no end; \(told)" }
    return faultOfHeard.map { "\($0); \(told)" }
  }

  private var told: String { "done: \(done.joined(separator: ", "))" }

  private func operate() {
    let list = player.playlist
    // Another one may be heard by now than is told.
    let next = player.currentItemIndex.map { $0 + 3 } ?? list.count
    let name: String
    switch random(0...9) {
    case 0...1:
      name = "flush"
      player.renderer.flush()
    case 2:
      let time = player.currentTime + MediaTime(value: Int64(random(0...72_000)), timescale: 48_000)
      name = "flush from \(time)"
      player.renderer.flush(fromSourceTime: time) { _ in }
    case 3:
      name = "pause"
      player.pause()
    case 4:
      name = "play"
      player.play()
    case 5...6:
      name = "hold"
      output.answer()
      output.holdAnswers()
      held = output.position
    case 7:
      name = "answer"
      answer()
    case 8 where next < list.count:
      name = "replace \(next)"
      list.replace(at: next, with: newItem())
    default:
      let place = min(next, list.count)
      name = "insert at \(place)"
      list.insert(newItem(), at: place)
    }
    done.append("\(name) at \(output.position)")
    if random(0...1) == 0, !done.last!.hasPrefix("hold") { settle() }
  }

  private func answer() {
    output.answer()
    held = nil
  }

  private func settle() {
    // What waits for an answer never settles while they are held.
    for _ in 0..<2_000 where !player.serializer.isSettled { sched_yield() }
  }

  /// Has the output take up to `frames` frames of what it was given, as long as it is to run.
  private func step(_ frames: Int) {
    // Half a second, in which no more than the next item begins.
    if let held, output.position - held > Self.rate / 2 { answer() }
    settle()
    var frames = frames
    for _ in 0..<2_000 where frames > 0 {
      output.withLock { player.renderer.outputNeedsFrames() }
      let end = output.stopsAfter
      let there = output.withLock { () -> Int? in
        let renderer = player.renderer
        if let end { return Int(max(0, end - output.position)) }
        guard renderer.line.transport == .running else { return nil }
        return max(0, Int(renderer.line.written - output.position))
      }
      guard let there else { return }
      let count = min(frames, there)
      if count > 0 || end == output.position { output.step(to: output.position + count) }
      output.withLock { player.renderer.callbacks.timelineChanged?() }
      frames -= count
      if count == 0 { sched_yield() }
    }
  }

  /// The first frame that does not follow the one before, nor comes before it, and the first item that is not whole.
  ///
  /// What cannot be spliced in at the playhead three times is started there, and has gone on meanwhile: into the next
  /// item, too, which is left for the one before then, and begins again.
  private var faultOfHeard: String? {
    var last: (item: Int, frame: Int)?
    // Where the item before was left, to which a start may go back once.
    var before: (item: Int, frame: Int)?
    // A flush fades out, and what goes on behind it, with the frame with which that began, fades in.
    let most = Self.fade + 1
    let heard = output.heard
    for place in heard.indices.dropFirst().dropLast() {
      let sample = heard[place]
      // A frame of a fade may be a number, too, alone.
      guard sample >= Float(NumberedSource.longest), sample == sample.rounded(),
        heard[place - 1] == sample - 1 || heard[place + 1] == sample + 1
      else { continue }
      let (item, frame) = Int(sample).quotientAndRemainder(dividingBy: NumberedSource.longest)
      let isSame = last?.item == item
      let isRepeated = !isSame && before.map { item == $0.item && frame <= $0.frame } == true
      defer {
        if !isSame { before = isRepeated ? nil : last }
        last = (item, frame)
      }
      let missing = isSame ? frame - (last?.frame ?? -1) - 1 : isRepeated ? 0 : frame
      if missing > most {
        return "at \(place) \(frame) of \(item) follows \(last.map { "\($0)" } ?? "nothing")"
      }
      guard !isSame, !isRepeated, let last, let length = lengths[last.item],
        last.frame < length - 1 - most
      else { continue }
      return "at \(place) \(frame) of \(item) follows \(last), which has \(length)"
    }
    return nil
  }

  /// So many frames, each of which is a number that no other item has.
  private final class NumberedSource: FrameSource, @unchecked Sendable {
    // @unchecked: used by one decoder thread at a time.
    static let longest = 65_536
    let format = AudioFormat(sampleRate: HeldAnswersRun.rate, layout: .mono)
    let frameCount: Int64?
    let tags = Tags()
    let truncation: SoundFileError? = nil
    private let begin: Int
    private var position = 0

    /// What `path` says: its number and its length.
    init(_ path: String) {
      let numbers = path.split(separator: " ").compactMap { Int($0) }
      (begin, frameCount) = (numbers[0] * Self.longest, Int64(numbers[1]))
    }

    func seek(to frame: Int64) throws(SoundFileError) { position = Int(frame) }

    func read(frames: Int) throws(SoundFileError) -> Chunk? {
      let count = min(frames, Int(frameCount!) - position)
      guard count > 0 else { return nil }
      let storage = FrameStorage(capacity: count)
      for i in 0..<count { storage.samples[i] = Float(begin + position + i) }
      position += count
      return Chunk(storage: storage, frameCount: count, format: format)
    }
  }
}
