// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Folders of the user, by the XDG's variables or what stands in for them.
enum UserFolders {
  /// Of what is kept between runs; nil where there is no home.
  static var state: String? { folder("XDG_STATE_HOME", "/.local/state").map { $0 + "/attacca" } }
  /// Of the user's own files for programs.
  static var data: String? { folder("XDG_DATA_HOME", "/.local/share").map { $0 + "/attacca" } }
  static var settings: String? { folder("XDG_CONFIG_HOME", "/.config").map { $0 + "/attacca" } }
  /// Of music.
  static var music: String? { folder("XDG_MUSIC_DIR", "/Music") }
  /// Of sockets, which goes with the session.
  static var runtime: String? { variable("XDG_RUNTIME_DIR").map { $0 + "/attacca" } }

  private static func folder(_ name: String, _ instead: String) -> String? {
    variable(name) ?? variable("HOME").map { $0 + instead }
  }

  private static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// A path with the home in place of "~".
  static func expanded(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = variable("HOME") else { return path }
    return home + path.dropFirst()
  }

  /// Makes a folder, and those above it, for the user alone.
  ///
  /// - Returns: Whether it is there.
  static func make(_ path: String) -> Bool {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return true }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      return false
    }
    return make(String(path[..<slash])) && mkdir(path, 0o700) == 0
  }
}
