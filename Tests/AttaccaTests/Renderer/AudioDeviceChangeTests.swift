// SPDX-License-Identifier: Apache-2.0

@testable import PulseDevice
@testable import Rendering
import Testing

@testable import Attacca

@Suite struct AudioDeviceChangeTests {
  private func device(
    _ name: String, rate: Int = 48_000, isDefault: Bool = false
  ) -> AudioDevice {
    AudioDevice(
      name: name, summary: "the \(name)", format: AudioFormat(sampleRate: rate, layout: .stereo),
      isDefault: isDefault)
  }

  private func sentences(_ old: [AudioDevice], _ new: [AudioDevice]) -> [String] {
    AudioDeviceChange.between(old, new).map {
      switch $0 {
      case .added(let device): "+\(device.name)"
      case .removed(let device): "-\(device.name)"
      case .changed(let device, let previous):
        "\(device.name) \(previous.format.sampleRate)>\(device.format.sampleRate)"
          + " \(previous.isDefault)>\(device.isDefault)"
      case .serverWasLost, .serverReturned, .failed: "server"
      }
    }
  }

  @Test func `equal lists differ in nothing, whatever their order`() {
    #expect(sentences([], []).isEmpty)
    #expect(sentences([device("a"), device("b")], [device("b"), device("a")]).isEmpty)
  }

  @Test func `what goes is told before what comes`() {
    #expect(sentences([device("a"), device("b")], [device("c"), device("b")]) == ["-a", "+c"])
    #expect(sentences([device("a")], []) == ["-a"])
    #expect(sentences([], [device("a"), device("b")]) == ["+a", "+b"])
  }

  @Test func `another format or default is a change of the same device`() {
    #expect(
      sentences([device("a")], [device("a", rate: 44_100)]) == ["a 48000>44100 false>false"])
    #expect(
      sentences(
        [device("a", isDefault: true), device("b")], [device("a"), device("b", isDefault: true)])
        == ["a 48000>48000 true>false", "b 48000>48000 false>true"])
  }
}
