// SPDX-License-Identifier: Apache-2.0

import Attacca

/// An item of the model: its number, and how many frames it has.
struct RampItem: Hashable, CustomStringConvertible {
  enum Kind { case told, untold, broken }
  let number: Int
  let length: Int
  let kind: Kind

  /// As `RampSource` reads it.
  var path: String {
    switch kind {
    case .told: "ramp \(number) \(length)"
    case .untold: "ramp \(number) \(length) unknown"
    case .broken: "broken \(number)"
    }
  }

  /// Frames that are heard of it.
  var heardLength: Int { kind == .broken ? 0 : length }
  var description: String { "\(number):\(kind == .broken ? "broken" : "\(length)")" }
}

/// One operation of a random sequence.
///
/// Indices are taken modulo what there is, so that a sequence
/// from which some operations were dropped still makes sense.
enum EditOperation {
  case append([RampItem])
  case insert([RampItem], at: Int)
  case insertAfter(Int, RampItem)
  case remove(at: Int)
  case removeIdentity(of: Int)
  case removeRange(Int, count: Int)
  case move(Int, Int)
  case replace(Int, RampItem)
  case replaceAll([RampItem], keepsCurrent: Bool)
  case clear
  case shuffle(UInt64)
  case unshuffle
  case repeats(RepeatMode)
  case jump(Int, offset: Int)
  case next
  case previous
  case seek(Int)
  case seekBy(Int)
  case loop(Int, Int)
  case endLoop
  case stopAfterCurrent(Bool)
  case play
  case pause
  case toggle
  case stop
  case flush(after: Int?)
  case pull(Int)
}
