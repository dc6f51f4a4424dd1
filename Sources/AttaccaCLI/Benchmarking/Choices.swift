// SPDX-License-Identifier: Apache-2.0

import ArgumentParser

/// Some of the values of a list, written with commas between them; empty for no choice.
struct Choices<Value: RawRepresentable & CaseIterable & Equatable>: ExpressibleByArgument
where Value.RawValue == String {
  /// In the order of the type's cases, each once.
  let chosen: [Value]

  init() { chosen = [] }

  init?(argument: String) {
    let names = argument.split(separator: ",").map(String.init)
    guard !names.isEmpty, names.allSatisfy({ Value(rawValue: $0) != nil }) else { return nil }
    chosen = Value.allCases.filter { names.contains($0.rawValue) }
  }

  var defaultValueDescription: String { "" }

  static var allValueStrings: [String] { Value.allCases.map(\.rawValue) }
}
