// SPDX-License-Identifier: Apache-2.0

/// Why a timing report was asked for.
enum TimingQuestion: Int {
  case clock, position, before, splice, fill, underrun, handover, rewind, settled
}
