// SPDX-License-Identifier: Apache-2.0

import CLibFuzzer

// What libFuzzer calls. It runs one input at a time, on one thread.

/// Set once, before the first input.
private nonisolated(unsafe) var target = FuzzTarget.wav

/// Reads `--target=NAME`; libFuzzer leaves arguments with two dashes alone.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>>>
) -> Int32 {
  let option = "--target="
  let names = (0..<Int(count.pointee)).map { String(cString: arguments.pointee[$0]) }
    .filter { $0.hasPrefix(option) }.map { String($0.dropFirst(option.count)) }
  guard names.count == 1, let named = FuzzTarget(rawValue: names[0]) else {
    let known = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
    fatalError("\(option)NAME is wanted once, NAME one of \(known)")
  }
  target = named
  return 0
}

/// - Returns: 0, or -1 for what is not to go into the corpus.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: data, count: size))
  guard target.takes(bytes) else { return -1 }
  do {
    try target.check(bytes)
  } catch {
    fatalError("FINDING: \(error)")
  }
  return 0
}

/// As libFuzzer would, but Ogg pages keep right checksums nearly always: libogg reads no others.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(
  _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ most: Int, _ seed: UInt32
) -> Int {
  let result = LLVMFuzzerMutate(data, size, most)
  if target == .opus || target == .vorbis || target == .oggflac, seed % 16 != 0 {
    OggChecksums.correct(UnsafeMutableBufferPointer(start: data, count: result))
  }
  return result
}
