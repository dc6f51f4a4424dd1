// SPDX-License-Identifier: Apache-2.0

/// The work of a thread of a playing process.
enum ThreadRole: String, CaseIterable {
  case decoder
  /// Of dispatch: the state machine that decides what is decoded and heard next.
  case queues
  /// libpulse's.
  case mainloop
  case main

  /// By the name that the kernel knows it by.
  init(name: String, isMain: Bool) {
    switch name {
    case "attacca-decode": self = .decoder
    case "pulse-mainloop", "threaded-ml": self = .mainloop
    default: self = isMain ? .main : .queues
    }
  }
}
