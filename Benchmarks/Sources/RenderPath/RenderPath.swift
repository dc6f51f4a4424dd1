// SPDX-License-Identifier: Apache-2.0

import Attacca
@testable import MediaTime
import CRenderPath
import Glibc
@testable import Rendering

/// Renders under RealtimeSanitizer, counting what is retained and released; or does on purpose what
/// must not be done there, to show that it would be seen.
///
/// Usage: RenderPath render|effects|allocate|lock|call|retain
@main
enum RenderPath {
  private static let frames = 20_000

  static func main() {
    count_references()
    switch CommandLine.arguments.dropFirst().first {
    case "render": render()
    case "effects": effects()
    case "allocate": guarded { UnsafeMutablePointer<Float>.allocate(capacity: 1_000).deallocate() }
    case "lock":
      var mutex = pthread_mutex_t()
      guarded {
        pthread_mutex_lock(&mutex)
        pthread_mutex_unlock(&mutex)
      }
    case "call": guarded { usleep(1) }
    case "retain":
      let object = Unmanaged.passRetained(Witness()).toOpaque()
      guarded { retain_and_release(object) }
    default:
      print("Usage: RenderPath render|effects|allocate|lock|call|retain")
      exit(2)
    }
  }

  private final class Witness {}

  /// Each effect that is built in, with sound that it changes.
  private static func effects() {
    let format = AudioFormat(sampleRate: 48_000, layout: .stereo)
    let effects: [any AudioEffect] = [
      GainEffect(-3), BalanceEffect(0.5),
      EqualizerEffect([.init(.peaking, frequency: 1_000, gain: 6), .init(.highPass, frequency: 50)]
      ),
      LimiterEffect(),
    ]
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 2 * 4_096)
    defer { memory.deallocate() }
    for effect in effects {
      let processor = effect.makeProcessor(for: format, maximumFrames: 4_096)
      for i in 0..<(2 * 4_096) { memory[i] = 4 * sinf(Float(i)) }
      // The first time is for what the runtime sets up once.
      processor.process(memory, frameCount: 100)
      guarded { for _ in 0..<20 { processor.process(memory, frameCount: 4_096) } }
    }
  }

  /// Runs `body` as real time, and ends with 3 where anything was retained or released.
  private static func guarded(_ body: () -> Void) {
    let before = references_counted()
    begin_real_time()
    body()
    end_real_time()
    let references = references_counted() - before
    print("\(references) retained or released")
    if references != 0 { exit(3) }
  }

  /// Content and silence on both sides of it, the ring's end, a volume's ramp, the fades of a pause,
  /// a splice, and steady gain.
  private static func render() {
    var line = RenderLine(channelCount: 2, capacity: frames, rate: 48_000)
    let samples = (0..<2 * frames).map { Float($0) }
    samples.withUnsafeBufferPointer { _ = line.append($0.baseAddress!, media: 0, count: frames) }
    line.start(at: 0, media: 0, fade: 240)
    line.heard(4_000)
    samples.withUnsafeBufferPointer {
      _ = line.append($0.baseAddress!, media: TimelineFrame(Int64(frames)), count: 3_000)
    }
    let staged = StagedFrames(media: 15_000, rate: 48_000, channelCount: 2, capacity: 6_000)
    samples.withUnsafeBufferPointer {
      _ = staged.append($0.baseAddress!, media: 15_000, frames: 6_000)
    }
    line.replace(from: 15_000, with: staged, fade: 240, isJump: false)
    line.setVolume(0.5, at: 6_000, length: 240)
    _ = line.stop(at: 20_000, fade: 240)
    let target = UnsafeMutablePointer<Float>.allocate(capacity: 2 * frames)
    defer { target.deallocate() }
    // The first time is for what the runtime sets up once.
    line.render(from: 3_000, frames: frames, into: target)
    let expected = target[2 * 10_000]
    guarded {
      for from in stride(from: StreamFrame(3_000), to: 23_000, by: 1_733) {
        line.render(from: from, frames: 1_733, into: target)
      }
      line.render(from: 3_000, frames: frames, into: target)
    }
    guard expected != 0, target[2 * 10_000] == expected else {
      print("frame 13,000 is \(target[2 * 10_000]), not \(expected)")
      exit(1)
    }
  }
}
