// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a process holds: descriptors by what they lead to, the threads that a player or renderer starts, connections to
/// the server, and the streams that this has.
struct Belongings: CustomStringConvertible {
  static let eventfd = "anon_inode:[eventfd]"

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

  /// All but eventfds, of which the engine opens none.
  ///
  /// libpulse 16.1 leaves two of a connection that ends between the packets in which the server hands over them and
  /// their memory (`pa_context_unlink`): in 4 of 5 that were cut behind the fourth packet.
  private var fileCount: Int {
    files.reduce(0) { $1.key == Self.eventfd ? $0 : $0 + $1.value }
  }

  var description: String {
    let kinds = files.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    return """
      files (\(kinds.joined(separator: ", "))), \(connections) connections, \(streams) streams and \
      threads \(threads)
      """
  }
}
