// SPDX-License-Identifier: Apache-2.0

/// The outcome of a splice.
package enum SpliceOutcome {
  /// It took place.
  case done
  /// Nothing changed: its place is heard before the first frame that can still be replaced.
  case late
  /// Nothing changed: there is no room, nothing that it would continue, or no output any more.
  case refused
}
