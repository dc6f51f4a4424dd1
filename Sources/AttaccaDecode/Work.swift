// SPDX-License-Identifier: Apache-2.0

import CConfinement

/// The limits of a process that decodes one file.
enum Work {
  /// Seconds of processor time for one packet, after which it is taken for a loop without an end.
  private static let limit: Int32 = 5
  /// Bytes of address space: libav and its tables take 0.2 GB of it.
  private static let memory: UInt64 = 1 << 30

  /// Takes from this process what decoding does not need.
  static func confine() { _ = attacca_confine(memory) }

  /// Begins a piece of work that has an end.
  static func begins() { attacca_limit_work(limit) }

  /// Nothing is worked at.
  static func rests() { attacca_limit_work(0) }
}
