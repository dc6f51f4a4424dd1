// SPDX-License-Identifier: Apache-2.0

import Attacca

/// One file to be rendered, and what must come of it.
struct RenderSubject {
  let name: String
  let path: BytePath
  /// Of what is rendered.
  let format: AudioFormat
  let frameCount: Int
  /// Sound that must come of it bit for bit; nil where a lossy encoder or a conversion stands between.
  let sound: BenchSound?

  /// Writes a sound of `seconds` into `folder` as `material`.
  ///
  /// - Throws: where the folder takes no more, or libsndfile was built without the encoder.
  init(_ material: RenderMaterial, seconds: Int, in folder: BenchFolder) throws {
    name = material.name
    path = BytePath(
      "\(folder.path)/\(material.sampleRate).\(material.fileType.container.rawValue)")
    format = RenderBench.format
    let sound = BenchSound(frameCount: seconds * material.sampleRate)
    let writer = try SoundFileWriter(
      path: path, format: AudioFormat(sampleRate: material.sampleRate, layout: .stereo),
      fileType: material.fileType)
    for first in stride(from: 0, to: sound.frameCount, by: 48_000) {
      let count = min(48_000, sound.frameCount - first)
      try sound.samples(from: first, count: count).withUnsafeBufferPointer {
        try writer.write($0)
      }
    }
    try writer.finish()
    frameCount = seconds * format.sampleRate
    self.sound = material.isExact ? sound : nil
  }

  /// A file of the user's, rendered at its own rate.
  ///
  /// - Throws: where it cannot be read, or does not tell how long it is.
  init(path: BytePath) throws {
    name = path.name.text
    self.path = path
    let file = try SoundFile(path: path, pool: FramePool())
    guard let count = file.frameCount, count > 0 else {
      throw BenchError("\(path): its length is not known, so its rendering cannot be checked")
    }
    (format, frameCount, sound) = (file.format, Int(count), nil)
  }

  /// Renders it once, and looks at every frame.
  ///
  /// - Throws: where there are more frames or fewer, or others than there should be.
  func check() throws(BenchError) {
    var done = 0
    let channels = format.channelCount
    try render { samples throws(BenchError) in
      if let sound {
        let expected = sound.samples(from: done, count: samples.count / channels)
        if let wrong = samples.indices.first(where: { samples[$0] != expected[$0] }) {
          throw BenchError("\(name): frame \(done + wrong / channels) is rendered wrong")
        }
      }
      done += samples.count / channels
    }
    guard done == frameCount else {
      throw BenchError("\(name): \(done) frames are rendered, \(frameCount) are right")
    }
  }

  /// Renders it as fast as it goes.
  func run() throws(BenchError) -> RenderRun {
    let processor = BenchClock.processor
    let begin = BenchClock.now
    var done = 0
    try render { samples throws(BenchError) in done += samples.count / format.channelCount }
    let run = RenderRun(
      nanoseconds: BenchClock.now - begin,
      processorNanoseconds: BenchClock.processor - processor)
    guard done == frameCount else {
      throw BenchError("\(name): \(done) frames are rendered, \(frameCount) are right")
    }
    return run
  }

  private func render(
    _ body: (UnsafeBufferPointer<Float>) throws(BenchError) -> Void
  ) throws(BenchError) {
    let renderer = OfflineRenderer(format: format)
    let player = SampleBufferPlayer(renderer: renderer)
    // Where nothing can be decoded the renderer is not told that nothing follows.
    let events = player.events
    let watch = Task.detached {
      for await event in events {
        switch event {
        case .endOfQueue, .failed: renderer.finishEnqueuing()
        default: break
        }
      }
    }
    defer {
      watch.cancel()
      player.stop()
    }
    player.playlist.append(PlaylistItem(path: path))
    player.play()
    try renderer.renderToEnd(body)
  }
}
