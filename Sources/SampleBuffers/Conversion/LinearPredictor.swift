// SPDX-License-Identifier: Apache-2.0

/// Continues a signal past its end, or before its start, by linear prediction.
///
/// Burg's method: it needs no window, and its filter is stable whatever the signal, so that the
/// continuation never grows. Calculated in Double; allocates nothing but at `init`.
final class LinearPredictor {
  /// Frames next to the edge that are analysed, at most.
  static let context = 4_096
  /// Past frames each predicted one depends on, at most.
  ///
  /// With 64 a joint of sound up to 20 kHz deviates by 13 to 15 dB more; 256 gains nothing.
  static let order = 128

  private let forward = UnsafeMutablePointer<Double>.allocate(capacity: context)
  private let backward = UnsafeMutablePointer<Double>.allocate(capacity: context)
  private let coefficients = UnsafeMutablePointer<Double>.allocate(capacity: order + 1)
  private let recent = UnsafeMutablePointer<Double>.allocate(capacity: 2 * order)

  deinit {
    forward.deallocate()
    backward.deallocate()
    coefficients.deallocate()
    recent.deallocate()
  }

  /// Writes `length` frames that would follow the last one of `frames`.
  func extendForwards(
    _ frames: UnsafePointer<Float>, frameCount: Int, channelCount: Int,
    into output: UnsafeMutablePointer<Float>, length: Int
  ) {
    let used = min(frameCount, Self.context)
    for channel in 0..<channelCount {
      let start = frames + (frameCount - used) * channelCount + channel
      extend(start, count: used, stride: channelCount, into: output + channel, length: length)
    }
  }

  /// Writes `length` frames that would precede the first one of `frames`, in playing order.
  func extendBackwards(
    _ frames: UnsafePointer<Float>, frameCount: Int, channelCount: Int,
    into output: UnsafeMutablePointer<Float>, length: Int
  ) {
    let used = min(frameCount, Self.context)
    guard length > 0 else { return }
    for channel in 0..<channelCount {
      // Time reversed: from the last analysed frame back to the first, and on.
      let start = frames + max(used - 1, 0) * channelCount + channel
      let last = output + (length - 1) * channelCount + channel
      extend(start, count: used, stride: -channelCount, into: last, length: length)
    }
  }

  private func extend(
    _ samples: UnsafePointer<Float>, count: Int, stride: Int,
    into output: UnsafeMutablePointer<Float>, length: Int
  ) {
    var i = 0
    while i < count {
      let sample = Double(samples[i &* stride])
      forward[i] = sample
      backward[i] = sample
      i &+= 1
    }
    let order = analyse(count: count)

    // The last `order` samples, newest at the end of a window that moves along `recent`.
    var newest = order
    i = 0
    while i < order {
      recent[i] = Double(samples[(count &- order &+ i) &* stride])
      i &+= 1
    }
    i = 0
    while i < length {
      var sum = 0.0
      var tap = 1
      while tap <= order {
        sum -= coefficients[tap] * recent[newest &- tap]
        tap &+= 1
      }
      output[i &* stride] = Float(sum)
      if newest == 2 * Self.order {
        recent.update(from: recent + (newest - order), count: order)
        newest = order
      }
      recent[newest] = sum
      newest &+= 1
      i &+= 1
    }
  }

  /// Fills `coefficients` from the samples in `forward` and `backward`; returns the order reached.
  private func analyse(count: Int) -> Int {
    coefficients[0] = 1
    var product = 0.0
    var energy = 0.0
    var i = 1
    while i < count {
      product += forward[i] * backward[i &- 1]
      energy += forward[i] * forward[i] + backward[i &- 1] * backward[i &- 1]
      i &+= 1
    }
    // What double precision leaves of a signal that is predicted perfectly.
    let floor = energy * 1e-26
    var order = 0
    while order < min(Self.order, count - 1), energy > floor, energy.isFinite {
      let reflection = -2 * product / energy
      guard abs(reflection) < 1 else { break }
      order += 1
      var low = 1
      var high = order - 1
      coefficients[order] = reflection
      while low <= high {
        let (a, b) = (coefficients[low], coefficients[high])
        coefficients[low] = a + reflection * b
        coefficients[high] = b + reflection * a
        low &+= 1
        high &-= 1
      }
      // One pass applies this reflection and sums up for the next. Downwards, as backward[i - 1]
      // becomes backward[i].
      product = 0
      energy = 0
      i = count &- 1
      var nextForward = 0.0
      while i >= order {
        let (f, b) = (forward[i], backward[i &- 1])
        let newForward = f + reflection * b
        let newBackward = b + reflection * f
        forward[i] = newForward
        backward[i] = newBackward
        if i < count &- 1 {
          product += nextForward * newBackward
          energy += nextForward * nextForward + newBackward * newBackward
        }
        nextForward = newForward
        i &-= 1
      }
    }
    return order
  }
}
