// SPDX-License-Identifier: Apache-2.0

/// The course of media time where nothing is enqueued for it.
public enum DryPolicy: Sendable {
  /// It holds until there is something, which is heard then: no frame is skipped.
  case holds
  /// It runs on over silence; what comes too late is not heard.
  case runsOn
}
