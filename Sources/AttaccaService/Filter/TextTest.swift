// SPDX-License-Identifier: Apache-2.0

/// Test of a text against another one.
enum TextTest: Hashable, Sendable {
  case equals
  case contains
  case startsWith
  /// A regular expression that matches somewhere in it.
  case matches
}
