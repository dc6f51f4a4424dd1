// SPDX-License-Identifier: Apache-2.0

/// Outcome of a renderer so far: whether it renders or has failed, and how often frames came too late.
struct RendererHealth {
  private enum Progress {
    case unknown
    case rendering
    /// For good: media time stands still from then on.
    case failed(any Error)
  }

  private var progress = Progress.unknown
  /// Number of times that the device ran out of frames.
  private(set) var underruns = 0
  /// Rewrites that reached the device too late, or may have.
  private(set) var lateSplices = 0

  var status: RendererStatus {
    switch progress {
    case .unknown: .unknown
    case .rendering: .rendering
    case .failed: .failed
    }
  }

  /// Cause of the failure; nil where there is none.
  var error: (any Error)? {
    if case .failed(let error) = progress { error } else { nil }
  }

  /// A buffer has been enqueued.
  mutating func enqueued() {
    if case .unknown = progress { progress = .rendering }
  }

  /// The output will not play any more.
  ///
  /// - Returns: false, and nothing is done, where that has been told before.
  mutating func fail(_ error: any Error) -> Bool {
    if case .failed = progress { return false }
    progress = .failed(error)
    return true
  }

  /// The device has run out of frames.
  mutating func underran() { underruns += 1 }

  /// A rewrite reached the device too late.
  mutating func splicedLate() { lateSplices += 1 }
}
