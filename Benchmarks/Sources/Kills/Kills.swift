// SPDX-License-Identifier: Apache-2.0

import Attacca
@testable import AttaccaBookmarks
import Glibc
import MediaTime
import Measures

/// Kills a process that listens and remembers, again and again at random moments, and looks what it has remembered.
///
/// The store is never damaged. The place is never behind what was heard last, and at most a second before it. Each
/// process goes on where the one before was remembered.
///
/// Usage: Kills [COUNT [SEED]]
@main
enum Kills {
  static let rate = 8_000
  /// Frames of the file: twenty minutes.
  static let length = 20 * 60 * rate

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      if arguments.first == "listen", arguments.count == 2 {
        return try Listener(folder: arguments[1]).run()
      }
      let count = arguments.first.flatMap { Int($0) } ?? 200
      let seed = arguments.dropFirst().first.flatMap { UInt64($0) } ?? UInt64(getpid())
      print("\(count) kills, seed \(seed)")
      try run(count, seed)
    } catch {
      print("Kills: \(error)")
      exit(1)
    }
  }

  private static func run(_ count: Int, _ seed: UInt64) throws {
    let folder = try KillFolder(frames: length, rate: rate)
    defer { folder.remove() }
    var state = seed
    var (last, most, heardAll, kept) = (0, 0, 0, 0)
    for number in 1...count {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let process = try spawn("listen", folder.path)
      usleep(UInt32(20_000 + (state >> 33) % 700_000))
      kill(process, SIGKILL)
      var status: Int32 = 0
      waitpid(process, &status, 0)
      guard status & 0x7F == SIGKILL else { throw Wrong("kill \(number): ended with \(status)") }
      let heard = folder.heard
      let place = try folder.place()
      // Where nothing was heard nothing is remembered, or what was.
      let bound = max(heard, last)
      guard place <= bound, place >= min(bound, heard - rate), place >= last else {
        throw Wrong("kill \(number): remembered \(place), heard \(heard), before \(last) frames")
      }
      most = max(most, heard - place)
      heardAll += max(0, heard - last)
      if place > last { kept += 1 }
      last = place
      // The file has an end.
      if last > length - 60 * rate {
        try folder.forget()
        last = 0
      }
      folder.heard = last
    }
    print(
      "\(count) kills, none damaged the store: \(heardAll / rate) s heard; remembered at most "
        + "\(most * 1_000 / rate) ms before what was heard last, never behind it; \(kept) got on")
  }

  private static func spawn(_ arguments: String...) throws -> pid_t {
    let path = "/proc/self/exe"
    var list: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for text in list { free(text) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, path, nil, nil, &list, environ)
    guard code == 0 else { throw Wrong("posix_spawn: \(String(cString: strerror(code)))") }
    return process
  }
}
