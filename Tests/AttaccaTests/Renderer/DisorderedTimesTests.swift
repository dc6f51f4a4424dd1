// SPDX-License-Identifier: Apache-2.0

import Attacca
@testable import Rendering
import Testing

/// Buffers whose times step back or jump ahead, as where the clock of a stream wraps.
@Suite struct DisorderedTimesTests {
  private func time(_ seconds: Int64) -> RationalTime { RationalTime(frames: seconds, rate: 1) }
  private let second = [Float](repeating: 0.5, count: 48_000)

  private func line() -> PulledLine {
    let line = PulledLine()
    line.renderer.audioTimePitchAlgorithm = .varispeed
    return line
  }

  @Test(arguments: [0.5, 2.0])
  func `times that step back are passed over at another rate, too`(rate: Double) {
    let line = line()
    for start in [100, 0, 1, 2, 101, 102, 50, 103] as [Int64] {
      line.renderer.enqueue(buffer(second, at: time(start)))
    }
    line.renderer.finishEnqueuing()
    line.synchronizer.setRate(1, time: MediaTime(value: 100, timescale: 1))
    #expect(line.pull(4_800) == [Float](repeating: 0.5, count: 4_800))
    line.synchronizer.rate = rate
    wait { !line.renderer.isStale }
    var heard = 4_800
    line.renderer.renderToEnd { heard += $0.count }
    // Seconds 100 to 104, a tenth of one at the natural rate.
    #expect(heard == 4_800 + Int((4 - 0.1) * 48_000 / rate))
  }

  @Test func `what steps back for ever is not kept`() {
    let line = line()
    line.renderer.enqueue(buffer(second, at: time(100)))
    line.synchronizer.setRate(1, time: MediaTime(value: 100, timescale: 1))
    _ = line.pull(4_800)
    for start in 0..<50 as Range<Int64> { line.renderer.enqueue(buffer(second, at: time(start))) }
    #expect(line.renderer.output.withLock { line.renderer.intake.unheardBuffers.count } == 1)
  }

  @Test func `a jump ahead takes no memory by its length`() {
    let line = line()
    let content = line.renderer.stage(
      [buffer(second, at: time(0)), buffer(second, at: time(500))], from: .zero, isFinished: true,
      fadesIn: false)
    #expect(content.frames.count + content.frames.room <= line.renderer.line.ring.capacity)
  }

  @Test(arguments: [0.5, 2.0])
  func `what lies behind a jump ahead is heard in its place at another rate`(rate: Double) {
    let line = line()
    line.renderer.enqueue(buffer(second, at: time(0)))
    line.renderer.enqueue(buffer(second, rate: 48_000, at: time(30)))
    line.renderer.finishEnqueuing()
    line.synchronizer.rate = 1
    _ = line.pull(4_800)
    line.synchronizer.rate = rate
    wait { !line.renderer.isStale }
    var heard: [Float] = []
    line.renderer.renderToEnd { heard += $0 }
    #expect(heard.count == Int((31 - 0.1) * 48_000 / rate))
    let begin = Int((30 - 0.1) * 48_000 / rate)
    #expect(heard[Int(1.1 * 48_000 / rate)..<(begin - 200)].allSatisfy { $0 == 0 })
    #expect(heard[(begin + 200)..<(heard.count - 200)].allSatisfy { abs($0 - 0.5) < 1e-3 })
  }

  @Test func `another rate in the middle of a long gap is carried out`() {
    let line = line()
    line.renderer.enqueue(buffer(second, at: time(0)))
    line.renderer.enqueue(buffer(second, at: time(30)))
    line.renderer.finishEnqueuing()
    line.synchronizer.rate = 1
    for _ in 0..<5 {
      var left = 48_000
      wait {
        left -= line.pull(left).count
        return left == 0
      }
    }
    line.synchronizer.rate = 2
    wait { !line.renderer.isStale }
    var heard = 0
    line.renderer.renderToEnd { heard += $0.count }
    #expect(heard == 26 * 24_000)
  }

  @Test func `a buffer longer than the line is heard to its end at another rate`() {
    let line = line()
    line.renderer.enqueue(buffer([Float](repeating: 0.5, count: 20 * 48_000), at: .zero))
    line.renderer.finishEnqueuing()
    line.synchronizer.rate = 1
    _ = line.pull(48_000)
    line.synchronizer.rate = 2
    wait { !line.renderer.isStale }
    var heard = 0
    line.renderer.renderToEnd { heard += $0.count }
    #expect(heard == 19 * 24_000)
  }

  @Test func `what a filter holds back waits where the line is full`() {
    let line = line()
    let capacity = line.renderer.line.ring.capacity
    // As much as fits but for the filter's last frames, and a gap behind it.
    let length = capacity * 441 / 480 / 100 + 1
    let content = line.renderer.stage(
      (0..<100).map {
        buffer(
          [Float](repeating: 0.5, count: length), rate: 44_100,
          at: RationalTime(frames: Int64($0 * length), rate: 44_100))
      }, from: .zero, isFinished: false, fadesIn: false)
    line.renderer.replace(from: nil, with: content, fade: .none)
    let last = Array(second.prefix(44_100))
    line.renderer.enqueue(buffer(last, rate: 44_100, at: time(30)))
    line.renderer.finishEnqueuing()
    line.synchronizer.rate = 1
    var heard: [Float] = []
    line.renderer.renderToEnd { heard += $0 }
    #expect(heard.count == 31 * 48_000)
    let end = (100 * length * 480 + 220) / 441
    #expect(heard[1_000..<(end - 1_000)].allSatisfy { abs($0 - 0.5) < 1e-3 })
    #expect(heard[(end + 1_000)..<(30 * 48_000 - 1_000)].allSatisfy { $0 == 0 })
  }

  @Test func `another rate where all that was kept has been heard is carried out`() {
    let line = line()
    line.renderer.enqueue(buffer(second, at: time(0)))
    line.synchronizer.rate = 1
    #expect(line.pull(48_000).count == 48_000)
    line.synchronizer.rate = 2
    wait { !line.renderer.isStale }
    line.renderer.enqueue(buffer(second, at: time(1)))
    line.renderer.finishEnqueuing()
    var heard = 0
    line.renderer.renderToEnd { heard += $0.count }
    #expect(heard == 24_000)
  }
}
