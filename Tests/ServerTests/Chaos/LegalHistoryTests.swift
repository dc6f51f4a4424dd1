// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite struct LegalHistoryTests {
  private let items = NamedItems(lengths: [3: 1_000, 5: 500])

  /// The turns in pieces that follow each other, heard in runs of `run` frames.
  private func turns(_ pieces: [[Float]], run: Int = 480) -> [Turn] {
    var history = LegalHistory(items)
    let samples = pieces.flatMap { $0 }
    return stride(from: 0, to: samples.count, by: 2 * run).flatMap { begin in
      samples[begin..<min(begin + 2 * run, samples.count)].withUnsafeBufferPointer {
        history.hear($0)
      }
    }.filter { $0.expected != .nothing }
  }

  private let three = TestSound.numbered(3, 0..<1_000)
  private let five = TestSound.numbered(5, 0..<500)
  private func sound(_ item: Int, _ frame: Int) -> Turn.Sound {
    .frame(NamedFrame(item: item, frame: frame))
  }

  @Test(arguments: [1, 7, 480]) func `items from beginning to end are legal in any order`(run: Int)
  {
    #expect(turns([three, five, five, three], run: run) == [])
  }

  @Test(arguments: [1, 7, 480])
  func `a frame that is left out, heard twice or silent is a turn`(run: Int) {
    func turn(_ frame: Int, _ heard: Turn.Sound, _ end: Int) -> Turn {
      Turn(expected: sound(3, frame), heard: heard, faded: 0, isFade: true, end: end)
    }
    let (first, second) = (Array(three[..<200]), Array(three[202...]))
    #expect(turns([three, Array(five[2...])], run: run) == [turn(1_000, sound(5, 1), 1_000)])
    #expect(turns([first, second], run: run) == [turn(100, sound(3, 101), 100)])
    #expect(turns([first, Array(three[198...])], run: run) == [turn(100, sound(3, 99), 100)])
    let hole = turns([first, [0, 0], Array(three[200...])], run: run)
    #expect(
      hole == [
        Turn(expected: sound(3, 100), heard: sound(3, 100), faded: 1, isFade: false, end: 101)
      ])
  }

  @Test func `two pieces that change places are turns`() {
    let pieces = [0..<200, 400..<600, 200..<400, 600..<1_000].map { Array(three[$0]) }
    #expect(turns(pieces).count == 3)
  }

  @Test func `an end before the last frame is a turn`() {
    #expect(turns([Array(three[..<1_980]), five]).map(\.heard) == [sound(5, 0)])
  }

  /// From one sound to another within 100 frames, `old` and `new` being what there would have been.
  private func mix(_ old: [Float], _ new: [Float]) -> [Float] {
    zip(old, new).enumerated().map { i, sounds in
      let gain = Float(i / 2) / 100
      return sounds.0 * (1 - gain) + sounds.1 * gain
    }
  }

  @Test(arguments: [1, 7, 480]) func `fades name their frames`(run: Int) {
    let silence = [Float](repeating: 0, count: 200)
    let out = turns(
      [Array(three[..<200]), mix(Array(three[200..<400]), silence), silence], run: run)
    #expect(out.map(\.isFade) == [true])
    #expect(out.map(\.heard) == [.silence])
    let over = turns(
      [
        Array(three[..<200]), mix(Array(three[200..<400]), Array(five[..<200])),
        Array(five[200...]),
      ], run: run)
    #expect(over.map(\.isFade) == [true])
    // The last frames of a fade may be the new sound's to the bit.
    #expect(over.allSatisfy { $0.expected == sound(3, 101) && $0.begin < 110 })
    let seek = turns(
      [
        Array(three[..<200]), mix(Array(three[200..<400]), Array(three[1_000..<1_200])),
        Array(three[1_200...]),
      ], run: run)
    #expect(seek.map(\.isFade) == [true])
  }

  @Test func `what is mixed of other frames is no fade`() {
    let wrong = turns([
      Array(three[..<200]), mix(Array(three[200..<400]), Array(five[..<200])),
      Array(five[400...]),
    ])
    #expect(wrong.map(\.isFade) == [false])
    let reversed = turns([
      Array(three[..<200]), mix(Array(three[200..<400]), Array(five[..<200])).reversed(),
      Array(five[200...]),
    ])
    #expect(reversed.map(\.isFade) == [false])
  }

  @Test func `what is no item's frame is none`() {
    let seven = TestSound.numbered(7, 0..<100_000)
    #expect(turns([three, seven]).map(\.heard) == [.unnamed])
  }
}
