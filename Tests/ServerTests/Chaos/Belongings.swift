// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a process holds: descriptors by what they lead to, the threads that a player or renderer starts, connections to
/// the server, and the streams that this has.
struct Belongings: CustomStringConvertible {
  /// Kinds of descriptors that the engine never opens, and that libpulse 16.1 leaves of a connection that ends early.
  ///
  /// Two eventfds where it ends between the packets in which the server hands over them and their memory
  /// (`pa_context_unlink`): in 4 of 5 that were cut behind the fourth packet. One of the server's memory where it ends
  /// behind the header of the packet that hands it over (`pa_pstream_unlink` closes none that have come): once in 280 s
  /// of chaos, behind a server that was killed while its client was stopped.
  static let leftByLibpulse = ["anon_inode:[eventfd]", "/memfd:pulseaudio (deleted)"]

  private let files: [String: Int]
  private let threads: [String: Int]
  private let streams: Int
  private let connections: Int

  init(files: [String: Int], threads: [String: Int] = [:], streams: Int = 0, connections: Int = 0) {
    (self.files, self.threads, self.streams, self.connections) =
      (files, threads, streams, connections)
  }

  /// What this process holds now.
  init(streams: Int, connections: Int) {
    var files: [String: Int] = [:]
    for descriptor in Self.names("/proc/self/fd") {
      // The one that the folder is read by is gone.
      let path = "/proc/self/fd/\(descriptor)"
      guard let place = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
        continue
      }
      // "socket:[4711]" and all that has a number of its own is one kind.
      files[place.filter { !$0.isNumber }, default: 0] += 1
    }
    var threads: [String: Int] = [:]
    for task in Self.names("/proc/self/task") {
      // One that has ended meanwhile is none.
      guard let data = FileManager.default.contents(atPath: "/proc/self/task/\(task)/comm") else {
        continue
      }
      let name = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
      if name.hasPrefix("pulse") || name.hasPrefix("attacca") { threads[name, default: 0] += 1 }
    }
    self.init(files: files, threads: threads, streams: streams, connections: connections)
  }

  private static func names(_ folder: String) -> [String] {
    do { return try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
      preconditionFailure("\(folder): \(error)")
    }
  }

  func areWithin(_ others: Belongings) -> Bool {
    fileCount <= others.fileCount && streams <= others.streams && connections <= others.connections
      && threads.allSatisfy { $0.value <= others.threads[$0.key, default: 0] }
  }

  private var fileCount: Int {
    files.reduce(0) { Self.leftByLibpulse.contains($1.key) ? $0 : $0 + $1.value }
  }

  var description: String {
    let kinds = files.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    return """
      files (\(kinds.joined(separator: ", "))), \(connections) connections, \(streams) streams and \
      threads \(threads)
      """
  }
}
