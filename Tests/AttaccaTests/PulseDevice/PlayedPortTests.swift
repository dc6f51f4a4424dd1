// SPDX-License-Identifier: Apache-2.0

@testable import PulseDevice
import Testing

/// Connectors of a sink that are played on, and what is plugged into them.
@Suite struct PlayedPortTests {
  private typealias Look = (sink: String, port: String?, unplugged: Set<String>)

  /// The indices of the looks at which something had been pulled out.
  private func pulledOut(_ looks: [Look]) -> [Int] {
    var played = PlayedPort()
    return looks.indices.filter { i in
      let look = looks[i]
      return played.update(sink: look.sink, port: look.port, unplugged: look.unplugged)
    }
  }

  @Test func `headphones that are pulled out are told once, whatever the server plays on then`() {
    let looks: [Look] = [
      ("card", "headphones", []), ("card", "headphones", ["line"]),
      ("card", "speaker", ["headphones", "line"]), ("card", "speaker", ["headphones", "line"]),
      ("card", "headphones", ["line"]), ("card", "headphones", ["headphones", "line"]),
      ("card", "headphones", ["headphones", "line"]),
    ]
    #expect(pulledOut(looks) == [2, 5])
  }

  @Test func `another choice of connector is none that is pulled out`() {
    let looks: [Look] = [
      ("card", "headphones", []), ("card", "speaker", []), ("card", "speaker", ["headphones"]),
    ]
    #expect(pulledOut(looks) == [])
  }

  @Test func `a connector of another sink is another one`() {
    let looks: [Look] = [
      ("card", "output", []), ("dock", "output", ["output"]), ("null", nil, []),
    ]
    #expect(pulledOut(looks) == [])
  }
}
