// SPDX-License-Identifier: Apache-2.0

import CHeap
import Glibc

/// What the process holds.
public struct Footprint: CustomStringConvertible {
  public let kilobytes, files, threads: Int
  /// Kilobytes that are allocated and not freed.
  public let allocated: Int

  /// What it holds now.
  public init() {
    let page = sysconf(Int32(_SC_PAGESIZE)) / 1_024
    kilobytes = Self.number(1, in: "/proc/self/statm") * page
    files = Self.entries("/proc/self/fd")
    threads = Self.entries("/proc/self/task")
    allocated = heap_in_use() / 1_024
  }

  /// All of it, for people.
  public var description: String {
    "\(kilobytes) KB, \(allocated) of them allocated, \(files) files, \(threads) threads"
  }

  /// Seconds of the host's clock.
  public static func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func number(_ index: Int, in path: String) -> Int {
    guard let file = fopen(path, "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
    let text = line.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    return Int(text.split(separator: " ")[index]) ?? 0
  }

  private static func entries(_ path: String) -> Int {
    guard let folder = opendir(path) else { return 0 }
    defer { closedir(folder) }
    var count = 0
    // Itself, "." and "..".
    while readdir(folder) != nil { count += 1 }
    return count - (path.hasSuffix("fd") ? 3 : 2)
  }

  /// The slopes of memory over the second half, with their standard errors.
  ///
  /// In the first the heap settles: 400 KB in eleven days, 8 KB in the nineteen after them.
  ///
  /// What grows all the same is malloc's arenas: each thread may take one, of 132 KB, eight for each core
  /// at most, when it begins while others hold all there are. One more came in 30 days.
  ///
  /// - Throws: where one is neither 0 within three of those nor below `limit` KB a day, or the most files or
  ///   threads there were have become more: two files are opened ahead, and a thread that opens them ends.
  public static func verdict(
    _ all: [Footprint], below limit: Double = 1
  ) throws(Wrong) -> String {
    let steady = all.dropFirst(all.count / 2)
    guard steady.count > 2 else { return "too short for a slope" }
    let before = all.prefix(all.count / 2)
    func most(_ value: KeyPath<Footprint, Int>) -> (before: Int, steady: Int) {
      (before.map { $0[keyPath: value] }.max() ?? 0, steady.map { $0[keyPath: value] }.max() ?? 0)
    }
    let (files, threads) = (most(\.files), most(\.threads))
    let resident = Slope(steady.map(\.kilobytes)), allocated = Slope(steady.map(\.allocated))
    let text =
      "memory: \(resident) KB a day, allocated: \(allocated) KB a day; "
      + "files \(files.before) to \(files.steady), threads \(threads.before) to \(threads.steady)"
    guard resident.isFlat(below: limit), allocated.isFlat(below: limit),
      files.steady <= files.before,
      threads.steady <= threads.before + 1
    else { throw Wrong("\(text): not flat") }
    return text
  }
}
