// SPDX-License-Identifier: Apache-2.0

import Attacca
import Listening

/// Measures how long commands take to the ear, on private servers, one table after the other.
struct LatencyBench {
  /// A kind of sink, which is one table.
  enum Sink: String, CaseIterable {
    /// PulseAudio's null sink, which takes back what it has rendered, as sound cards do.
    case rewinding
    /// The same with `norewinds=1`, as Bluetooth, network and pipes are.
    case norewinds
    /// PipeWire's null sink.
    case pipeWire = "pipewire"

    var server: HeadlessServer.Kind { self == .pipeWire ? .pipeWire : .pulseAudio }
  }

  /// Number of times that each operation is measured.
  var count = 30
  var operations = LatencyOperation.allCases
  var fade = Fade.standard
  var latency = LatencyChoice.responsive
  var containers: [WrittenFileType.Container] = [.flac]
  let progress: BenchProgress

  /// `sinks`, or where there are none, all whose server is installed.
  ///
  /// - Throws: where no server is.
  func available(_ sinks: [Sink]) throws(BenchError) -> [Sink] {
    guard sinks.isEmpty else { return sinks }
    let available = Sink.allCases.filter { $0.server.missingPackage == nil }
    guard !available.isEmpty else { throw BenchError.noServer }
    for sink in Sink.allCases {
      guard let package = sink.server.missingPackage else { continue }
      progress.say("no table ‘\(sink.rawValue)’: \(package) is not installed")
    }
    return available
  }

  /// Longest block that the listener lets a sink take.
  ///
  /// While a player is paused only the listener plays. With a block of its own PipeWire then changed from
  /// cycles of 43 ms to those of 5 at each resume: the monitor passed over 37 ms, in which the resume was
  /// heard.
  private func block(on sink: Sink) -> Duration {
    sink == .pipeWire
      ? .milliseconds(latency.latency.blockMilliseconds) : SinkListener.longestBlock
  }

  /// Measures one table.
  ///
  /// - Throws: where its server is not installed, or ceases to answer.
  func measure(_ sink: Sink) throws -> LatencyTable {
    defer { progress.clear() }
    let server = try HeadlessServer(sink.server)
    var table = LatencyTable(
      server: server.description, sink: sink, latency: latency.rawValue, fade: fade.milliseconds)
    let total = containers.count * count
    for (n, container) in containers.enumerated() {
      let folder = try BenchFolder()
      let sounds = try NumberedSounds(container, in: folder)
      let name = "attacca-\(container.rawValue)"
      try server.makeSink(name, rewinds: sink == .rewinding)
      let listener = try SinkListener(
        connection: server.connect(), sink: name, block: block(on: sink))
      defer { listener.close() }
      var run = LatencyRun(
        server: server, sink: name, kind: sink, listener: listener, sounds: sounds,
        fade: fade, latency: latency.latency)
      for round in 0..<count {
        progress.show("\(sink.rawValue), \(container.rawValue)", done: n * count + round, of: total)
        try run.perform(operations)
        table.sinkLatency = try listener.sinkLatency()
      }
      try run.end()
      table.underruns += run.underrunCount
      table.lateSplices += run.lateCount
      table.unheard += listener.missed
      table.unheard += run.samples.values.joined().reduce(0) { $0 + $1.hiddenFrames }
      table.series += operations.compactMap { operation in
        run.samples[operation].map {
          LatencySeries(operation: operation, material: container.rawValue, samples: $0)
        }
      }
    }
    return table
  }
}
