// SPDX-License-Identifier: Apache-2.0

import Glibc
import Preconditions
public import SampleBuffers

/// The balance between the speakers on the left and those on the right; others, as the centre, stay as they are.
public struct BalanceEffect: AudioEffect, Hashable {
  /// Factors of both sides as a function of the balance.
  public enum Law: Hashable, Sendable {
    /// The side that the balance goes away from fades in a straight line, down to nothing at 1 or -1; the
    /// other stays as it is, so that no sample becomes greater.
    case linear
    /// Both change so that the sum of their powers is the same everywhere: √2 cos and √2 sin of an angle from 0
    /// to 90°. The side that the balance goes to becomes louder by up to 3 dB.
    case constantPower
  }

  /// -1 for left, 0 for both sides as they are, 1 for right.
  public var balance: Float
  /// Factors of both sides.
  public var law: Law

  /// A balance in -1...1.
  ///
  /// - Precondition: it is.
  public init(_ balance: Float, law: Law = .linear) {
    require(
      (-1...1).contains(balance), "a balance of \(balance); -1...1 are permitted")
    (self.balance, self.law) = (balance, law)
  }

  /// Factors of the speakers on both sides.
  var factors: (left: Float, right: Float) {
    switch law {
    case _ where balance == 0: return (1, 1)
    case .linear: return (min(1, 1 - balance), min(1, 1 + balance))
    case .constantPower:
      let angle = (Double(balance) + 1) * Double.pi / 4
      return (Float(2.0.squareRoot() * cos(angle)), Float(2.0.squareRoot() * sin(angle)))
    }
  }

  /// A processor that multiplies each channel by the factor of its side.
  public func makeProcessor(
    for format: AudioFormat, maximumFrames: Int
  ) -> any AudioEffectProcessor {
    let (left, right) = factors
    return ChannelFactors(
      format.layout.speakers.map { speaker in
        switch speaker {
        case .frontLeft, .backLeft, .sideLeft, .frontLeftOfCenter: left
        case .frontRight, .backRight, .sideRight, .frontRightOfCenter: right
        case .mono, .frontCenter, .lowFrequency, .backCenter: 1
        }
      })
  }
}
