// SPDX-License-Identifier: Apache-2.0

import Attacca

/// Measures how long commands take to the ear, on private servers, one table after the other.
struct LatencyBench {
  /// One table to be.
  enum Part: String, CaseIterable {
    case fine = "2ms"
    case coarse = "200ms"
    case pipeWire = "pipewire"
    case wake

    var fragment: Int { self == .coarse ? 200 : 2 }
    var server: HeadlessServer.Kind { self == .pipeWire ? .pipeWire : .pulseAudio }
    var operations: [LatencyOperation] {
      switch self {
      case .fine, .pipeWire: LatencyOperation.awake
      case .coarse: LatencyOperation.coarse
      case .wake: LatencyOperation.sleeping
      }
    }

    var kind: LatencyTable.Kind {
      switch self {
      case .fine: .fine
      case .coarse: .coarse
      case .pipeWire: .pipeWire
      case .wake: .wake
      }
    }
  }

  /// How often each operation is measured.
  var count = 200
  var fade = Fade.standard
  var latency = Latency.powerSaving
  var containers: [WrittenFileType.Container] = [.wav, .flac]
  let progress: BenchProgress

  /// `parts`, or where there are none, all whose server is installed.
  ///
  /// - Throws: where no server is.
  func available(_ parts: [Part]) throws(BenchError) -> [Part] {
    guard parts.isEmpty else { return parts }
    let available = Part.allCases.filter { $0.server.missingPackage == nil }
    guard !available.isEmpty else { throw BenchError.noServer }
    for part in Part.allCases {
      guard let package = part.server.missingPackage else { continue }
      progress.say("no table ‘\(part.rawValue)’: \(package) is not installed")
    }
    return available
  }

  /// Measures one table.
  ///
  /// - Throws: where its server is not installed, or what is heard makes no sense.
  func measure(_ part: Part) throws -> LatencyTable {
    defer { progress.clear() }
    let server = try HeadlessServer(part.server)
    if part == .wake { try server.suspendWhenIdle() }
    var table = LatencyTable(
      server: server.description, fragment: part.fragment, fade: fade.milliseconds, kind: part.kind)
    // A sink takes half a second to fall asleep.
    let count = part == .wake ? max(1, count / 10) : count
    let total = containers.count * count
    for (n, container) in containers.enumerated() {
      let folder = try BenchFolder()
      let sounds = try NumberedSounds(container, in: folder)
      let sink = "attacca-\(container.rawValue)"
      try server.makeSink(sink)
      let recording = try MonitorRecording(
        sink: sink, of: server, fragment: part.fragment, keepsAwake: part != .wake)
      defer { recording.stop() }
      var run = try LatencyRun(
        server: server, sink: sink, recording: recording, sounds: sounds, fade: fade,
        latency: latency, commands: count)
      var series = part.operations.map {
        LatencySeries(operation: $0, material: container.rawValue)
      }
      for round in 0..<count {
        progress.show("\(part.rawValue), \(container.rawValue)", done: n * count + round, of: total)
        for i in series.indices where series[i].operation.isDue(inRound: round) {
          series[i].samples.append(try run.measure(series[i].operation))
        }
      }
      table.block = recording.block
      table.underruns += run.underrunCount
      table.lateSplices += run.lateCount
      table.series += series.filter { part != .wake || $0.operation == .wake }
    }
    return table
  }
}
