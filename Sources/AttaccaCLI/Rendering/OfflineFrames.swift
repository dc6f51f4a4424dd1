// SPDX-License-Identifier: Apache-2.0

import Attacca

/// The frames of one renderer as fast as they can be had, and a limiter behind its gains if there is to be one.
enum OfflineFrames: Sendable {
  case renderer(OfflineRenderer)
  /// A bus, whose effects come behind gains, and its only voice.
  case limited(OfflineBus, AudioRenderer)

  init(format: AudioFormat, quality: RateConverter.Quality, limiter: LimiterEffect?) {
    guard let limiter else {
      self = .renderer(OfflineRenderer(format: format, quality: quality))
      return
    }
    let bus = OfflineBus(format: format)
    bus.effects = [limiter]
    self = .limited(bus, bus.makeRenderer(quality: quality))
  }

  var renderer: AudioRenderer {
    switch self {
    case .renderer(let renderer): renderer
    case .limited(_, let voice): voice
    }
  }

  /// Renders until everything enqueued has been rendered, and the renderer has been told that nothing follows.
  func renderToEnd(
    _ body: (UnsafeBufferPointer<Float>) throws(RenderingEnd) -> Void
  ) throws(RenderingEnd) {
    switch self {
    case .renderer(let renderer): try renderer.renderToEnd(body)
    case .limited(let bus, _): try bus.renderToEnd(body)
    }
  }
}
