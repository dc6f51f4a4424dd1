// SPDX-License-Identifier: Apache-2.0

package import PulseAudio

/// Host times of the reference's frames, from the server's reports on its stream.
///
/// PulseAudio's reports are true to some microseconds at any moment (-20 to 67 µs in 240 reports of
/// null sinks, 1 s long). PipeWire's are of the last cycle: its read index stands still for a cycle,
/// and counts the whole of what the cycle took. There a report is true at the moment at which the
/// index moves, for the first frame of what was taken.
package struct ReferenceClock {
  private let sampleRate: Int
  private let isOfCycles: Bool
  /// For how long a report is used, in nanoseconds: PipeWire's clock is found from some 20 cycles.
  private static let memory = 1_000_000_000

  private struct Origin {
    let hostTime: Int
    /// The host time at which number 0 would have been heard, by this report.
    let origin: Int
  }

  private var origins: [Origin] = []
  private var readFrame: Int?
  /// Frames between the last two places of the read index.
  package private(set) var cycle: Int?

  /// `isOfCycles` is whether reports are as PipeWire's.
  package init(sampleRate: Int, isOfCycles: Bool) {
    (self.sampleRate, self.isOfCycles) = (sampleRate, isOfCycles)
  }

  /// Takes a report; reports come in the order of their time.
  package mutating func add(_ report: TimingReport) {
    guard !report.isReadIndexCorrupt else { return }
    let read = Int(report.readFrame)
    if let readFrame, read > readFrame { cycle = read - readFrame }
    readFrame = read
    if isOfCycles, cycle == nil { return }
    let ahead = Int(report.sinkLatency) + (isOfCycles ? nanoseconds(cycle!) : 0)
    let hostTime = Int(report.hostTime)
    origins.append(Origin(hostTime: hostTime, origin: hostTime - nanoseconds(read) + ahead))
    origins.removeAll { $0.hostTime < hostTime - Self.memory }
  }

  private func nanoseconds(_ frames: Int) -> Int {
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: sampleRate)
    return seconds * 1_000_000_000 + rest * 1_000_000_000 / sampleRate
  }

  /// The host time at which number 0 would have been heard; nil without reports.
  ///
  /// PipeWire's reports are late, by up to a cycle: the earliest one is right. PulseAudio's are late where they
  /// have been held up, half of them on a busy machine, and one was 6.6 ms early on one that stood still: that at a
  /// quarter is.
  package var origin: Int? {
    guard !origins.isEmpty else { return nil }
    let sorted = origins.map(\.origin).sorted()
    return sorted[isOfCycles ? 0 : (sorted.count - 1) / 4]
  }

  /// Returns when `number` is heard, in nanoseconds of host time.
  package func hostTime(of number: Int) -> Int? { origin.map { $0 + nanoseconds(number) } }
}
