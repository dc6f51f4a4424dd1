// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation
import PulseAudio
import TestServers
import Testing

/// What an application sees of the devices of a server, through `Attacca` alone.
@Suite struct DeviceTests {
  @Test func `devices are listed with formats, and one is the default`() async throws {
    try await onOwnThread {
      let server = try TestedServer.make()
      _ = try server.makeSink(named: "a")
      _ = try server.makeSink(
        named: "b", format: AudioFormat(sampleRate: 48_000, layout: .surround51))
      try server.setDefault(sink: "b")
      let devices = try AudioDevices.current(server: server.address)
      #expect(devices.first { $0.name == "a" }?.format.channelCount == 2)
      #expect(devices.first { $0.name == "b" }?.format.channelCount == 6)
      #expect(devices.filter(\.isDefault).map(\.name) == ["b"])
      #expect(devices.allSatisfy { !$0.isKnownToRewind && !$0.driver.isEmpty })
      server.stop()
    }
  }

  @Test func `devices that come, change and go are told, and a server that returns`() async throws {
    try await onOwnThread {
      let server = try PrivatePulseServer()
      _ = try server.makeSink(named: "a")
      let gate = server.makeGate()
      let devices = try AudioDevices(server: gate.address)
      let log = DeviceLog(devices.changes)
      #expect(devices.current.map(\.name) == ["a"])
      _ = try server.makeSink(named: "b")
      try log.wait("+b")
      try server.setDefault(sink: "b")
      try log.wait("b default")
      try server.control(["suspend-sink", "a", "1"])
      try log.wait("a suspended")
      try server.removeSink("a")
      try log.wait("-a")
      #expect(devices.current.map(\.name) == ["b"])
      gate.shut()
      server.kill()
      try log.wait("lost")
      try log.wait("-b")
      #expect(devices.current.isEmpty)
      try server.restart()
      _ = try server.makeSink(
        named: "c", format: AudioFormat(sampleRate: 44_100, layout: .stereo))
      gate.open()
      try log.wait("returned")
      try log.wait("+c")
      #expect(devices.current.map(\.format.sampleRate) == [44_100])
      server.stop()
    }
  }

  @Test func `without a server there is an error that names its address`() async throws {
    try await onOwnThread {
      let error = #expect(throws: PulseError.self) {
        _ = try AudioDevices(server: "unix:/nonexistent/attacca")
      }
      #expect(error?.reason == .serverMissing)
      #expect(error.map { "\($0)".contains("‘unix:/nonexistent/attacca’") } == true)
    }
  }
}

/// Changes as words that a test waits for.
private final class DeviceLog: @unchecked Sendable {
  // @unchecked: `words` is touched under `condition` only.
  private let condition = NSCondition()
  private var words: [String] = []

  init(_ changes: EventSequence<AudioDeviceChange>) {
    Task { for await change in changes { add(Self.words(change)) } }
  }

  private func add(_ new: [String]) {
    condition.withLock {
      words += new
      condition.broadcast()
    }
  }

  private static func words(_ change: AudioDeviceChange) -> [String] {
    switch change {
    case .added(let device): ["+\(device.name)"]
    case .removed(let device): ["-\(device.name)"]
    case .changed(let device, let previous):
      (device.isDefault && !previous.isDefault ? ["\(device.name) default"] : [])
        + (device.state != previous.state ? ["\(device.name) \(device.state)"] : [])
    case .serverWasLost: ["lost"]
    case .serverReturned: ["returned"]
    case .failed(let error): ["failed: \(error)"]
    }
  }

  func wait(_ word: String) throws {
    condition.lock()
    defer { condition.unlock() }
    let end = Date(timeIntervalSinceNow: 20)
    while !words.contains(word) {
      guard condition.wait(until: end) else { throw Unmet("\(word); so far: \(words)") }
    }
  }
}
