// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import AttaccaCLI

struct PlotTests {
  @Test(arguments: [0.0, 0.003, 0.7, 1, 3.4, 9.99, 10, 48, 51, 812, 120_000])
  func `an axis ends at or above the largest value, in two to seven ticks`(largest: Double) {
    let axis = Axis.linear("ms", through: largest)
    #expect(axis.end >= largest)
    #expect((2...7).contains(axis.ticks.count))
    #expect(axis.ticks.first!.place == 0)
    #expect(axis.ticks.last!.place == 1)
    #expect(axis.place(axis.end) == 1)
    #expect(Set(axis.ticks.map(\.text)).count == axis.ticks.count)
  }

  @Test func `percentiles stand in their order, the middle between its ends`() {
    let axis = Axis.percentiles("%", of: 100)
    #expect(axis.ticks.map(\.text) == ["1", "10", "50", "90", "99"])
    #expect(abs(axis.place(50) - 0.5) < 1e-12)
    #expect(axis.place(0) == 0)
    #expect(axis.place(100) == 1)
    #expect(Axis.percentiles("%", of: 500).ticks.last!.text == "99.9")
  }

  @Test func `names keep apart, in their order and within the plot`() {
    let wanted = [50.0, 52, 51, 99, 99, 3]
    let places = LineChart.spread(wanted, gap: 15, in: 0...100)
    #expect(places.allSatisfy { (0...100).contains($0) })
    let sorted = places.sorted()
    #expect(zip(sorted, sorted.dropFirst()).allSatisfy { $1 - $0 >= 15 })
    let order = wanted.indices.sorted { wanted[$0] < wanted[$1] }
    #expect(order.map { places[$0] } == sorted)
  }
}
