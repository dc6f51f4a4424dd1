// SPDX-License-Identifier: Apache-2.0

package import MediaTime

/// The motion of an output's time.
package enum OutputTransport: Hashable {
  /// Time runs.
  case running
  /// Time stops once a frame has been heard; where it stands, it stands on.
  case stopping(after: StreamFrame)
}
