// SPDX-License-Identifier: Apache-2.0

/// The connector that is played on, as a jack for headphones, and whether something is plugged into it.
struct PlayedPort {
  private var sink: String?
  private var port: String?

  /// Takes note of the connector `port` of `sink`, which is played on now; `unplugged` are those of its connectors that
  /// have nothing plugged in.
  ///
  /// A server that finds a jack empty has the sink play on another connector, or leaves it as it is.
  ///
  /// - Returns: whether the connector that was played on until now has been unplugged since.
  mutating func update(sink: String, port: String?, unplugged: Set<String>) -> Bool {
    let isPulledOut = sink == self.sink && self.port.map(unplugged.contains) == true
    self.sink = sink
    // What is unplugged already is not pulled out.
    self.port = port.flatMap { unplugged.contains($0) ? nil : $0 }
    return isPulledOut
  }
}
