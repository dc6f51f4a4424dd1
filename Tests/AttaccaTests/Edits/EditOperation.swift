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

/// One edit of a random sequence that names items by identity, chosen by indices modulo what there is.
enum EditChoice {
  case insert([RampItem], place: Int)
  case remove(Int)
  case move(Int, place: Int)
  case replace(Int, RampItem)

  /// The edit of `items`; nil where that needs one that is not there.
  func change(of items: [RampItem]) -> ItemChange? {
    func place(_ number: Int) -> ItemChange.Place {
      switch number % 4 {
      case 0 where !items.isEmpty: .before(items[number / 4 % items.count])
      case 1 where !items.isEmpty: .after(items[number / 4 % items.count])
      case 2: .first
      default: .last
      }
    }
    if case .insert(let new, let number) = self { return .insert(new, place(number)) }
    guard !items.isEmpty else { return nil }
    return switch self {
    case .insert: nil
    case .remove(let index): .remove(items[index % items.count])
    case .move(let index, let number): .move(items[index % items.count], place(number))
    case .replace(let index, let new): .replace(items[index % items.count], new)
    }
  }
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
  /// One edit, by identity.
  case single(EditChoice)
  /// Several edits as one.
  case several([EditChoice])
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
