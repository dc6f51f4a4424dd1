// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How long the cases that take minutes are to take.
enum Soak {
  /// Minutes, from the environment's ATTACCA_SOAK; nil where they are not to run.
  static let minutes = ProcessInfo.processInfo.environment["ATTACCA_SOAK"].flatMap(Double.init)
}
