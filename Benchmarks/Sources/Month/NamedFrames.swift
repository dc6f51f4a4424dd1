// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Glibc
import Measures

/// Files whose frames name themselves: frame n is n mod 30,011, and 1.
struct NamedFrames {
  static let period = 30_011
  /// No multiples of the period: where an item ends, a frame is not the one that would follow.
  static let whole = [160_001, 240_123, 333_333, 80_017, 479_999]
  /// Of a file whose header promises twice as many.
  static let cut = 50_001

  private let folder: String
  var lengths: Set<Int> { Set(Self.whole + [Self.cut]) }

  init() throws {
    var template = Array("/tmp/attacca-month-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw Wrong("mkdtemp: \(String(cString: strerror(errno)))")
    }
    folder = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    for length in Self.whole { try write("\(length).wav", frames: length, promised: length) }
    try write("cut.wav", frames: Self.cut, promised: 2 * Self.cut)
  }

  func remove() {
    for name in Self.whole.map({ "\($0).wav" }) + ["cut.wav"] { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }

  /// One file of them all; one of fifty is missing, one of fifty cut short.
  func path(_ random: inout ShuffleGenerator) -> String {
    switch random.next() % 50 {
    case 0: "\(folder)/missing.wav"
    case 1: "\(folder)/cut.wav"
    case let n: "\(folder)/\(Self.whole[Int(n) % Self.whole.count]).wav"
    }
  }

  private func write(_ name: String, frames: Int, promised: Int) throws {
    var bytes: [UInt8] = []
    func put(_ text: String) { bytes += Array(text.utf8) }
    func put(_ value: Int, bytes count: Int) {
      for i in 0..<count { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * i))) }
    }
    put("RIFF")
    put(36 + 2 * promised, bytes: 4)
    put("WAVEfmt ")
    put(16, bytes: 4)
    for (value, count) in [(1, 2), (1, 2), (Month.rate, 4), (2 * Month.rate, 4), (2, 2), (16, 2)] {
      put(value, bytes: count)
    }
    put("data")
    put(2 * promised, bytes: 4)
    for n in 0..<frames { put(n % Self.period + 1, bytes: 2) }
    guard let file = fopen("\(folder)/\(name)", "w") else {
      throw Wrong("fopen \(name): \(String(cString: strerror(errno)))")
    }
    let written = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, written == bytes.count else { throw Wrong("\(name) was not written") }
  }
}
