// SPDX-License-Identifier: Apache-2.0

/// A change of the devices of a sound server.
public enum AudioDeviceChange: Sendable {
  /// A device has appeared.
  case added(AudioDevice)
  /// A device is there no more.
  case removed(AudioDevice)
  /// A device has another format, another state, or is the default one now, or no more.
  case changed(AudioDevice, previous: AudioDevice)
  /// The server is gone, and its devices have been removed. It is waited for.
  case serverWasLost(any Error)
  /// There is a server again; its devices are added next.
  case serverReturned
  /// The server refuses for good, as with another cookie; nothing follows.
  case failed(any Error)

  /// The changes that make `new` of `old`: what is removed first, then the others in the order of
  /// `new`.
  static func between(_ old: [AudioDevice], _ new: [AudioDevice]) -> [AudioDeviceChange] {
    let names = Set(new.map(\.name))
    let before = Dictionary(old.map { ($0.name, $0) }) { first, _ in first }
    let removed = old.filter { !names.contains($0.name) }.map { AudioDeviceChange.removed($0) }
    return removed
      + new.compactMap { device in
        guard let previous = before[device.name] else { return .added(device) }
        return previous == device ? nil : .changed(device, previous: previous)
      }
  }
}
