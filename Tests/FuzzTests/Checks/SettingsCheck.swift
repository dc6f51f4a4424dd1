// SPDX-License-Identifier: Apache-2.0

@testable import AttaccaService

#if canImport(AttaccaCLI)
  @testable import AttaccaCLI
#endif

/// Takes bytes for the service's settings.
enum SettingsCheck {
  static func run(_ bytes: [UInt8]) throws {
    let text = String(decoding: bytes, as: UTF8.self)
    let settings = try StepTime.bounded("settings") { read(text) }
    guard let settings else { return }
    let written = lines(of: settings)
    try Finding.unless(
      read(written.joined(separator: "\n")) == settings,
      "settings are others when they are written")
    try Finding.unless(
      read(written.joined(separator: "\r\n")) == settings, "settings depend on how lines end")

    var daemon = DaemonSettings(musicFolder: nil, playlistFolder: "/", stateFolder: "/")
    daemon.addresses = settings.addresses
    daemon.passwords = settings.passwords
    daemon.unasked = settings.unasked
    guard daemon.complaint == nil else { return }
    for case .host(let host, _) in settings.addresses where settings.passwords.isEmpty {
      try Finding.unless(
        host == "localhost" || host == "::1"
          || host.allSatisfy { $0 == "." || $0.isASCII && $0.isNumber },
        "'\(host)' is open without a password")
    }
  }

  private static func read(_ text: String) -> ServeFile? {
    do { return try ServeFile(text) } catch { return nil }
  }

  /// The lines of settings, with all values in quotes.
  private static func lines(of settings: ServeFile) -> [String] {
    var lines: [String] = []
    func add(_ name: String, _ value: String?) {
      guard let value else { return }
      let quoted = value.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : "\($0)" }
        .joined()
      lines.append("\(name) \"\(quoted)\"")
    }
    add("music_directory", settings.musicFolder)
    add("playlist_directory", settings.playlistFolder)
    for address in settings.addresses { add("bind_to_address", "\(address)") }
    for (password, names) in settings.passwords {
      add("password", "\(password)@\(names.joined(separator: ","))")
    }
    // A value is not empty.
    add("default_permissions", settings.unasked.map { " " + $0.joined(separator: ",") })
    add("max_connections", "\(settings.limits.connections)")
    add("connection_timeout", "\(settings.limits.silence)")
    add("max_output_buffer_size", "\(settings.limits.outputBytes / 1_024)")
    add("output", settings.output)
    add("device", settings.device)
    return lines
  }
}
