// SPDX-License-Identifier: Apache-2.0

internal import MediaTime

/// The places at which a fresh rate converter may begin for its output to fall on the timeline's frames.
///
/// Output frame *j* of a converter lies at *j · r/R* input frames. Putting *m* frames in front of
/// the first one shifts the grid by *m · R/r* output frames, so that the fraction can be chosen.
struct PhaseGrid {
  /// Frames to put in front of the run's first: *m*.
  let lead: Int
  /// The converter's output frame that belongs to the run's first timeline frame.
  let skip: Int
  /// Output frames by which that one lies before its ideal position.
  let error: Double

  /// Returns the input frames that a filter needs on either side, with room to spare.
  ///
  /// Measured with soxr VHQ: its response is below 1e-9 from 140 frames on (upsampling), 152 · r/R
  /// (downsampling).
  static func support(from rate: Int, to outputRate: Int) -> Int {
    max(512, (256 * rate + outputRate - 1) / outputRate)
  }

  /// Of lengths up to this many more than needed the best is taken.
  ///
  /// 2,048 covers all phases of all common rates; for others the error is below about 1/2,048 frame
  /// all the same.
  static let longestSearch = 2_048

  /// `start` is when the run's first frame shall sound, `firstFrame` the run's first timeline frame,
  /// within one of it.
  init(start: RationalTime, firstFrame: Int64, rate: Int, outputRate: Int) {
    let divisor = greatestCommonDivisor(rate, outputRate)
    let (p, q) = (Int128(outputRate / divisor), Int128(rate / divisor))
    let shortest = Self.support(from: rate, to: outputRate)

    // All in units of 1/(q · denominator) output frame, so that restarts in the middle of a run
    // find the same set of phases and choose the same one, to the bit.
    let denominator = Int128(start.denominator)
    let unit = q * denominator
    let offset = start.numerator * Int128(outputRate) - Int128(firstFrame) * denominator
    let step = p * denominator
    var best: (lead: Int, skip: Int128, error: Int128)?
    for lead in shortest..<shortest + min(Int(q), Self.longestSearch) {
      let position = Int128(lead) * step - offset * q
      let skip = (2 * position + unit - 1) / (2 * unit)  // halves go down
      let error = position - skip * unit
      if best.map({ isBetter(error, than: $0.error) }) ?? true { best = (lead, skip, error) }
      if error == 0 { break }
    }
    let chosen = best!  // the range holds `shortest`, at least
    (lead, skip) = (chosen.lead, Int(chosen.skip))
    error = Double(chosen.error) / Double(unit)

    func isBetter(_ a: Int128, than b: Int128) -> Bool {
      a.magnitude < b.magnitude || (a.magnitude == b.magnitude && a > b)
    }
  }
}
