// SPDX-License-Identifier: Apache-2.0

import TestSeeds

/// What chaos is about: a player, or renderers without one.
protocol ChaosSubject: AnyObject, Sendable {
  /// How many threads give commands.
  var threads: Int { get }
  /// Has everything be as at first, and play.
  func restore(_ random: inout SplitMix64) throws
  /// Has nothing be heard of it.
  func silence()
  /// Has it play where it is to, should a fault's end have come behind `restore`.
  func insist()
  /// Gives one command.
  func command(_ random: inout SplitMix64, in weather: ChaosWeather)
  /// Says in how far what it tells is not a frame that is heard.
  func complaint(_ heard: NamedFrame) -> String?
  /// Frames heard in order after which all is well.
  var calm: Int { get }
  /// Whether nothing is to be heard of it.
  var isStopped: Bool { get }
  /// What it tells, for messages.
  var state: String { get }
}
