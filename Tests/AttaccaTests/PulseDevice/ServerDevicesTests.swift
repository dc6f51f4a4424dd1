// SPDX-License-Identifier: Apache-2.0

@testable import PulseDevice
import Testing

import Attacca

/// When the sound goes back to the wished device, which is there; it plays on "a".
@Suite struct ServerDevicesTests {
  /// Whether the devices say to go to `wished`.
  private func goes(
    _ devices: inout ServerDevices, to wished: String? = "b", isBusy: Bool = false,
    afterLook: Bool = false
  ) -> Bool {
    devices.goesToWished(wished, isBusy: isBusy, afterLook: afterLook)
  }

  private func indices(_ names: Set<String>) -> [String: UInt32] {
    Dictionary(uniqueKeysWithValues: names.map { ($0, $0 == "a" ? 1 : 2) })
  }

  private func devices(_ names: Set<String>) -> ServerDevices {
    var devices = ServerDevices()
    devices.inUse = "a"
    devices.known.update(indices(names), at: 1)
    return devices
  }

  @Test(
    arguments: [
      (nil, ["a", "b"], false), ("a", ["a", "b"], false), ("b", ["a"], false),
      ("b", ["a", "b"], true),
    ] as [(String?, Set<String>, Bool)])
  func `a wished device that is seen is gone to at once`(
    wished: String?, names: Set<String>, goes: Bool
  ) {
    var devices = devices(names)
    let found = self.goes(&devices, to: wished, afterLook: true)
    #expect(found == goes)
  }

  // Nobody looked again until the devices changed the next time.
  @Test func `one that is seen while a stream is being opened is gone to when that is over, once`()
  {
    var devices = devices(["a", "b"])
    var found = [goes(&devices, isBusy: true, afterLook: true)]
    // The stream is there, and takes over.
    for isBusy in [true, false, false] { found.append(goes(&devices, isBusy: isBusy)) }
    #expect(found == [false, false, true, false])
  }

  @Test func `one that is gone by then, or played on, is not gone to`() {
    for change in [{ $0.known.update(["a": 1], at: 2) }, { $0.inUse = "b" }]
      as [(inout ServerDevices) -> Void]
    {
      var devices = devices(["a", "b"])
      var found = [goes(&devices, isBusy: true, afterLook: true)]
      change(&devices)
      found.append(goes(&devices))
      // Nor is it owed any more.
      devices.inUse = "a"
      devices.known.update(["a": 1, "b": 2], at: 3)
      found.append(goes(&devices))
      #expect(found == [false, false, false])
    }
  }

  @Test func `a stream that takes over goes nowhere where nothing was seen meanwhile`() {
    var devices = devices(["a", "b"])
    let found = goes(&devices)
    #expect(!found)
  }

  // What played on the one that went was said to have been moved by its user, who had not.
  @Test func `one that went and came back under its name was lost`() {
    var known = KnownDevices()
    known.update(["a": 1, "b": 2], at: 1)
    let moved = known.reason(from: "b", to: "a", at: 2)
    known.update(["a": 1, "b": 3], at: 2)
    let left = known.reason(from: "b", to: "a", at: 3)
    let later = known.reason(from: "b", to: "a", at: 2 + KnownDevices.newness)
    #expect([moved, left, later] == [.override, .oldDeviceUnavailable, .override])
  }

  // PipeWire named "b" as the default after the stream was there: the user was said to have chosen it.
  @Test func `a move to what is the default within two seconds is the server's, and no choice`() {
    func wish(
      _ wished: String? = nil, isDefault: Bool = false, default name: String = "b",
      after seconds: Double = 0.1, isChosen: Bool = false
    ) -> String? {
      var devices = devices(["a", "b"])
      let moved = devices.wish(afterMoveTo: "b", isDefault: isDefault, wished: wished, at: 1)
      if isChosen { devices.wasChosen() }
      let meanwhile = devices.wish(whereDefaultIs: "a", wished: moved, at: 2)
      #expect(meanwhile == moved)
      return devices.wish(whereDefaultIs: name, wished: moved, at: UInt64(seconds * 1e9))
    }
    #expect(wish() == nil)
    #expect(wish(isDefault: true) == nil)
    #expect(wish(default: "a") == "b")
    #expect(wish(after: 2.1) == "b")
    // Who has chosen one once goes on choosing.
    #expect(wish("a") == "b" && wish("a", isDefault: true) == "b" && wish(isChosen: true) == "b")
  }
}
