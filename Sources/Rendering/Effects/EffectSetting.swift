// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Effects as they were set once, in the order in which they process.
package struct EffectSetting: Sendable {
  private static let lastNumber = Atomic<Int>(0)

  /// No effects.
  static let none = EffectSetting(effects: [], number: 0)

  let effects: [any AudioEffect]
  /// Number that tells this setting from every other; 0 where there are no effects.
  let number: Int

  /// A setting of its own, other than all before.
  package init(_ effects: [any AudioEffect]) {
    self.init(
      effects: effects,
      number: effects.isEmpty ? 0 : Self.lastNumber.add(1, ordering: .relaxed).newValue)
  }

  private init(effects: [any AudioEffect], number: Int) {
    (self.effects, self.number) = (effects, number)
  }
}
