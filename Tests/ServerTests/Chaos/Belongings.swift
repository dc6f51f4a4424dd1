// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a process holds: descriptors by what they lead to, the threads that a player or renderer starts, connections to
/// the server, and the streams that this has.
struct Belongings: CustomStringConvertible {
  private let files: [String: Int]
  private let threads: [String: Int]
  private let streams: Int
  private let connections: Int

  init(streams: Int, connections: Int) {
    (self.streams, self.connections) = (streams, connections)
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
    self.files = files
    var threads: [String: Int] = [:]
    for task in Self.names("/proc/self/task") {
      // One that has ended meanwhile is none.
      guard let data = FileManager.default.contents(atPath: "/proc/self/task/\(task)/comm") else {
        continue
      }
      let name = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
      if name.hasPrefix("pulse") || name.hasPrefix("attacca") { threads[name, default: 0] += 1 }
    }
    self.threads = threads
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

  private var fileCount: Int { files.values.reduce(0, +) }

  var description: String {
    let kinds = files.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    return """
      files (\(kinds.joined(separator: ", "))), \(connections) connections, \(streams) streams and \
      threads \(threads)
      """
  }
}
