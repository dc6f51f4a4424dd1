// SPDX-License-Identifier: Apache-2.0

import PulseAudio
import TestServers

/// What a monitor hears of a `TurningSound`: where it is at which host time, and whether it skips.
struct TurningRecording {
  /// Frames that a step from one frame to the next may be more or less than one: a thousandth, which a
  /// follower's rate may differ by, and what is rounded.
  private static let tolerance = 0.01

  let capture: MonitorCapture
  /// The media frame that was recorded last; nil before the first sound.
  private var media: Double?
  private var recorded = 0
  /// The least that the sound was late in each second of the host's clock, by its number, as media
  /// seconds less host seconds.
  private(set) var ahead: [Int: Double] = [:]
  /// The first place at which it skipped, was silent or was something else.
  private(set) var fault: String?
  /// Frames of the fault that is going on, which is no sound; nil where it is over, or there was none.
  private var faulty: Int?

  init(_ capture: MonitorCapture) { self.capture = capture }

  /// Takes what has been recorded since the last time.
  mutating func read() {
    let (samples, arrivals) = capture.takeWithArrivals()
    samples.withUnsafeBufferPointer { samples in
      for arrival in arrivals {
        let first = arrival.frame - recorded
        for i in first..<first + arrival.count {
          hear(samples[2 * i], samples[2 * i + 1], recorded + i)
        }
        guard let media else { continue }
        // A frame can arrive late, but not early.
        let place = (media + 1) / 48_000 - Double(arrival.hostTime) / 1e9
        let second = Int(arrival.hostTime / 1_000_000_000)
        ahead[second] = max(ahead[second] ?? -.infinity, place)
      }
    }
    recorded += samples.count / 2
  }

  private mutating func hear(_ left: Float, _ right: Float, _ frame: Int) {
    guard media != nil || left != 0 || right != 0 else { return }
    guard let place = TurningSound.place(left, right) else {
      if fault == nil {
        fault = "recorded frame \(frame), about media frame \(media ?? 0), is \(left), \(right)"
        faulty = 0
      }
      faulty = faulty.map { $0 + 1 }
      media = media.map { $0 + 1 }
      return
    }
    if let faulty {
      fault = fault.map { "\($0), and \(faulty) frames are no sound" }
      self.faulty = nil
    }
    guard let last = media else { return media = place }
    let period = Double(TurningSound.period)
    var step = (place - last).truncatingRemainder(dividingBy: period)
    if step < -period / 2 { step += period }
    if step > period / 2 { step -= period }
    if abs(step - 1) > Self.tolerance {
      fault =
        fault ?? "a step of \(step) frames to media frame \(last + step), recorded frame \(frame)"
    }
    media = last + step
  }
}
