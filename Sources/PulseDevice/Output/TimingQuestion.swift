// SPDX-License-Identifier: Apache-2.0

/// The purpose of a question to the server for a timing report.
enum TimingQuestion: Int {
  case clock, position, before, splice, fill, underrun, handover, rewind, settled
}
