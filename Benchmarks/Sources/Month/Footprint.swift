// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What the process holds.
struct Footprint: CustomStringConvertible {
  let kilobytes, files, threads: Int

  init() {
    let page = sysconf(Int32(_SC_PAGESIZE)) / 1_024
    kilobytes = Self.number(1, in: "/proc/self/statm") * page
    files = Self.entries("/proc/self/fd")
    threads = Self.entries("/proc/self/task")
  }

  var description: String { "\(kilobytes) KB, \(files) files, \(threads) threads" }

  /// Seconds of the host's clock.
  static func seconds() -> Double {
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

  /// The slope of memory over the second half, with its standard error.
  ///
  /// In the first the heap settles: 400 KB in eleven days, 8 KB in the nineteen after them.
  ///
  /// - Throws: where it is neither 0 within three of those nor below 1 KB a day, or files or threads
  ///   have become more.
  static func verdict(_ all: [Footprint]) throws(Wrong) -> String {
    let steady = all.dropFirst(all.count / 2)
    guard steady.count > 2, let first = steady.first, let last = steady.last else {
      return "too short for a slope"
    }
    let n = Double(steady.count)
    let x = steady.indices.map(Double.init), y = steady.map { Double($0.kilobytes) }
    let (meanX, meanY) = (x.reduce(0, +) / n, y.reduce(0, +) / n)
    let spread = x.map { ($0 - meanX) * ($0 - meanX) }.reduce(0, +)
    let slope = zip(x, y).map { ($0 - meanX) * ($1 - meanY) }.reduce(0, +) / spread
    let rest = zip(x, y).map { x, y in
      let off = y - meanY - slope * (x - meanX)
      return off * off
    }
    let error = (rest.reduce(0, +) / (n - 2) / spread).squareRoot()
    let text =
      "memory: \(rounded(slope)) ± \(rounded(error)) KB a day; files \(first.files) to \(last.files), "
      + "threads \(first.threads) to \(last.threads)"
    guard abs(slope) <= 3 * error || abs(slope) < 1, last.files <= first.files,
      last.threads <= first.threads + 1
    else { throw Wrong("\(text): not flat") }
    return text
  }

  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }
}
