// SPDX-License-Identifier: Apache-2.0

import Answers
import CAllocations
import Glibc

/// What the whole process allocated in a while, and who did it.
struct AllocationCount {
  /// Who allocated: this project's code, or the first library on the way from there to `malloc`.
  enum Owner: Hashable {
    case attacca
    /// Dispatch, on a thread of its own and in nobody's name.
    case dispatch
    case library(String)
  }

  /// A place, and how often it allocated.
  struct Site {
    let owner: Owner
    /// Its innermost function of the owner's, and the one around it.
    let functions: [String]
    let count: Int
  }

  let sites: [Site]

  /// Counts what is allocated on any thread while `body` runs.
  ///
  /// - Throws: what `body` throws, or where there were too many places to tell apart.
  init(during body: () throws -> Void) throws {
    count_allocations(true)
    defer { count_allocations(false) }
    try body()
    count_allocations(false)
    let missed = allocations_missed()
    try BenchFailure.unless(missed == 0, "\(missed) allocations were at too many places")
    sites = (0..<allocation_sites()).map(Self.site)
  }

  func count(_ owner: Owner) -> Int {
    sites.reduce(0) { $0 + ($1.owner == owner ? $1.count : 0) }
  }

  /// The libraries that allocated, by name.
  var libraries: [String] {
    let names = sites.compactMap { site in
      if case .library(let name) = site.owner { name } else { nil }
    }
    return Set(names).sorted()
  }

  private static func site(_ number: Int) -> Site {
    let callers = (0..<callers_at(number)).compactMap { caller_at(number, $0) }
    // Those are asked to allocate by someone else: who that is counts.
    let inner = callers.firstIndex { caller in
      let name = image(caller)
      return !["libc.so", "ld-linux", "libswift", "libstdc++", "libdispatch", "libBlocksRuntime"]
        .contains { name.hasPrefix($0) }
    }
    let owner: Owner =
      if let inner {
        is_program(callers[inner]) ? .attacca : .library(image(callers[inner]))
      } else {
        .dispatch
      }
    // What is made of the standard library for our types stands in the program, too.
    let own = callers[(inner ?? 0)...].prefix(8).map(function).drop { $0.hasPrefix("Swift.") }
    let functions = Array(own.prefix(2))
    return Site(
      owner: owner, functions: functions, count: Int(allocations_at(number)))
  }

  /// The file name of who holds an address.
  private static func image(_ address: UnsafeMutableRawPointer) -> String {
    guard let path = image_at(address) else { return "" }
    return String(cString: path).split(separator: "/").last.map(String.init) ?? ""
  }

  private static func function(_ address: UnsafeMutableRawPointer) -> String {
    // An address to return to may lie behind a function's end.
    guard let name = function_at(address - 1) else { return image(address) }
    guard let readable = readable_name(name) else { return String(cString: name) }
    defer { free(readable) }
    return shortened(String(cString: readable))
  }

  /// A function's name without its types, its file, and what the compiler has made of it.
  private static func shortened(_ name: String) -> String {
    var name = name[...]
    for before in ["> of ", ") in "] {
      if let last = name.ranges(of: before).last { name = name[last.upperBound...] }
    }
    // "(arm in _DD05…)", 32 digits.
    if let file = name.firstRange(of: " in _") {
      name.removeSubrange(file.lowerBound..<(name.index(file.upperBound, offsetBy: 32)))
    }
    if let result = name.firstRange(of: " -> ") { name = name[..<result.lowerBound] }
    return String(name)
  }
}
