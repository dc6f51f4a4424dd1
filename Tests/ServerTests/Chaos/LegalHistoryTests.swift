// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite struct LegalHistoryTests {
  private func faults(_ pieces: [[Float]]) -> [String] {
    var history = LegalHistory(lengths: [3: 1_000, 5: 500])
    let samples = pieces.flatMap { $0 }
    return stride(from: 0, to: samples.count, by: 2).compactMap {
      history.hear(samples[$0], samples[$0 + 1])
    }
  }

  private let three = TestSound.numbered(3, 0..<1_000)
  private let five = TestSound.numbered(5, 0..<500)

  @Test func `items from beginning to end are legal in any order`() {
    #expect(faults([three, five, five, three]) == [])
  }

  @Test func `a frame that is left out, heard twice or silent has to be explained`() {
    #expect(faults([three, Array(five[2...])]).count == 1)
    #expect(faults([Array(three[..<200]), Array(three[202...])]).count == 1)
    #expect(faults([Array(three[..<200]), Array(three[198...])]).count == 1)
    #expect(faults([Array(three[..<200]), [0, 0], Array(three[200...])]).count == 2)
  }

  @Test func `an end before the last frame has to be explained`() {
    #expect(faults([Array(three[..<1_998]), five]).count == 1)
  }

  @Test func `a fade has to be explained where it begins`() {
    let faded = five.map { $0 * 0.3 }
    #expect(faults([three, faded, five]).count == 1)
  }

  @Test func `what is no item's frame is none`() {
    #expect(faults([three, TestSound.numbered(7, 0..<10)]).count == 1)
    #expect(faults([three, TestSound.numbered(5, 500..<510)]).count == 1)
  }
}
