// SPDX-License-Identifier: Apache-2.0

/// Mode that is off, on, or on until it has done its work once.
enum OneShot: String, Sendable {
  case off = "0"
  case on = "1"
  case oneshot
}
