// SPDX-License-Identifier: Apache-2.0

import MediaTime

/// The place where two runs of different rates meet, while the second one's first frames are
/// gathered.
///
/// Neither converter may see an edge. The run of the higher rate is continued by linear prediction,
/// which is good where the sound is oversampled; the run of the lower rate, whose band is full, by
/// the other run's own sound, converted to its rate. So both filters see what they would see if the
/// two files had been cut from one sound.
final class Joint {
  /// The run that ends here; nil where it needs nothing more, being at the output's rate.
  let ending: ConvertedRun?
  private let endingRate: Int
  private let startingRate: Int
  /// The nearest frames before the joint.
  private let tail: FrameTail
  private let channelCount: Int
  private let predictor: LinearPredictor
  private let quality: RateConverter.Quality
  /// The first frames after the joint.
  private(set) var head: [Float] = []

  init(
    ending: ConvertedRun?, tail: FrameTail, from endingRate: Int, to startingRate: Int,
    channelCount: Int, predictor: LinearPredictor, quality: RateConverter.Quality
  ) {
    (self.ending, self.tail) = (ending, tail)
    (self.endingRate, self.startingRate) = (endingRate, startingRate)
    (self.channelCount, self.predictor, self.quality) = (channelCount, predictor, quality)
    head.reserveCapacity(LinearPredictor.context * channelCount)
  }

  var headCount: Int { head.count / channelCount }

  /// Takes frames until there are enough.
  ///
  /// - Returns: how many it took.
  func append(_ frames: UnsafePointer<Float>, frameCount: Int) -> Int {
    let taken = min(LinearPredictor.context - headCount, frameCount)
    head.append(contentsOf: UnsafeBufferPointer(start: frames, count: taken * channelCount))
    return taken
  }

  /// True where both sides can be continued as well as they ever will.
  var isComplete: Bool { headCount == LinearPredictor.context }

  /// `length` frames that continue the ending run, at its rate.
  func future(length: Int) -> [Float] {
    if endingRate < startingRate, let frames = headConverted(length: length) { return frames }
    return predictedFuture(length: length)
  }

  /// `length` frames that precede the starting run, at its rate.
  func past(length: Int) -> [Float] {
    if startingRate < endingRate, let frames = tailConverted(length: length) { return frames }
    return predictedPast(length: length)
  }

  private func predictedFuture(length: Int) -> [Float] {
    var future = [Float](repeating: 0, count: length * channelCount)
    guard tail.count > 0, length > 0 else { return future }
    future.withUnsafeMutableBufferPointer {
      predictor.extendForwards(
        tail.frames, frameCount: tail.count, channelCount: channelCount,
        into: $0.baseAddress!, length: length)  // `length` is 1 or more
    }
    return future
  }

  private func predictedPast(length: Int) -> [Float] {
    var past = [Float](repeating: 0, count: length * channelCount)
    guard headCount > 0, length > 0 else { return past }
    past.withUnsafeMutableBufferPointer { past in
      head.withUnsafeBufferPointer {
        predictor.extendBackwards(
          $0.baseAddress!, frameCount: headCount, channelCount: channelCount,
          into: past.baseAddress!, length: length)  // neither is empty
      }
    }
    return past
  }

  /// Frames of prediction beyond the joint, at `rate`, so many that both rates have a frame exactly
  /// on it; nil where that is further away than prediction reaches.
  private func overlap(at rate: Int, other: Int) -> (here: Int, there: Int)? {
    let divisor = greatestCommonDivisor(rate, other)
    let step = rate / divisor
    guard step <= LinearPredictor.context else { return nil }
    let needed = PhaseGrid.support(from: rate, to: other)
    let count = (needed + step - 1) / step
    return (count * step, count * (other / divisor))
  }

  /// The starting run's head at the ending run's rate.
  private func headConverted(length: Int) -> [Float]? {
    guard let overlap = overlap(at: startingRate, other: endingRate) else { return nil }
    let frames = predictedPast(length: overlap.here) + head
    return convert(frames, from: startingRate, to: endingRate, skip: overlap.there, length: length)
  }

  /// The ending run's tail at the starting run's rate.
  ///
  /// It is converted backwards in time, so that the grid begins at the joint.
  private func tailConverted(length: Int) -> [Float]? {
    guard let overlap = overlap(at: endingRate, other: startingRate) else { return nil }
    let known = UnsafeBufferPointer(start: tail.frames, count: tail.count * channelCount)
    // The frame on the joint itself is predicted too: it belongs to the starting run.
    let frames = Array(known) + predictedFuture(length: overlap.here + 1)
    let backwards = convert(
      reversed(frames), from: endingRate, to: startingRate, skip: overlap.there + 1,
      length: length)
    return reversed(backwards)
  }

  private func reversed(_ frames: [Float]) -> [Float] {
    var result = [Float](repeating: 0, count: frames.count)
    let count = frames.count / channelCount
    for i in 0..<count {
      for c in 0..<channelCount {
        result[(count - 1 - i) * channelCount + c] = frames[i * channelCount + c]
      }
    }
    return result
  }

  /// `length` frames of the conversion of `frames`, after the first `skip`; silence beyond its end.
  private func convert(
    _ frames: [Float], from: Int, to: Int, skip: Int, length: Int
  ) -> [Float] {
    let converter = RateConverter(
      from: from, to: to, channelCount: channelCount, quality: quality)
    frames.withUnsafeBufferPointer {
      if let base = $0.baseAddress {
        converter.push(base, frameCount: frames.count / channelCount)
      }
    }
    converter.end()
    var result = [Float](repeating: 0, count: (skip + length) * channelCount)
    result.withUnsafeMutableBufferPointer {
      var done = 0
      while done < skip + length {
        let pulled = converter.pull(
          into: $0.baseAddress! + done * channelCount,  // it holds `skip + length` frames
          frameCount: skip + length - done)
        if pulled == 0 { break }
        done += pulled
      }
    }
    return Array(result[(skip * channelCount)...])
  }
}
