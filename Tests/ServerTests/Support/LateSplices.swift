// SPDX-License-Identifier: Apache-2.0

import Attacca
import Foundation

/// Frames of each splice of a renderer that was told to have come too late.
final class LateSplices: @unchecked Sendable {
  // @unchecked: `told` is touched under `lock` only.
  private let lock = NSLock()
  private var told: [Int] = []

  init(of renderer: AudioRenderer) {
    let events = renderer.rendererEvents
    Task {
      for await event in events {
        guard case .lateSplice(let frames) = event else { continue }
        lock.withLock { told.append(Int(frames)) }
      }
    }
  }

  var frames: [Int] { lock.withLock { told } }
}
