// SPDX-License-Identifier: Apache-2.0

/// Differences of PipeWire's PulseAudio server from PulseAudio, and what is made of them.
///
/// Measured on PipeWire 0.3.65 and PulseAudio 16.1. PipeWire's blocks are its graph's cycles, its
/// quantum, 43 ms at the longest; where they fall only the read index shows, and its clock is as coarse.
struct ServerQuirks {
  /// True where PipeWire is behind the server.
  var isPipeWire = false

  /// A device that says it has played a frame may be wrong by so much, in milliseconds; a recorder
  /// of 10 ms fragments had not been sent the last two of them when its server was killed.
  private static let doubt = 20

  /// Frames that a device may have said wrongly to have played.
  ///
  /// PipeWire says that it has played what its graph has taken: killed, up to two quanta were not heard.
  func doubtfulFrames(sampleRate: Int, largestBlock: Int64) -> Int64 {
    let usual = Int64(Self.doubt * sampleRate / 1_000)
    return isPipeWire ? 2 * max(usual, largestBlock) : usual
  }

  /// Frames before the read index of a corked stream that its sink may not have played.
  ///
  /// PulseAudio takes back what the sink had taken and not played, all but one frame: in 6 of 20 a null sink had not
  /// been given the last frame that counted as read (the monitor had 105,600 frames of 105,601). The first frame of
  /// the fade in behind it is silent, and was never heard. PipeWire's graph may drop whole blocks.
  func doubtfulFramesOnCork(sampleRate: Int, largestBlock: Int64) -> Int64 {
    isPipeWire ? doubtfulFrames(sampleRate: sampleRate, largestBlock: largestBlock) : 1
  }

  /// A sink that goes has what it had not played go on to the next one.
  ///
  /// PipeWire's graph takes a quantum with it: 896 frames were not heard. Of PulseAudio none was missing.
  var movesAll: Bool { !isPipeWire }

  /// A stream stands still while its server is stopped.
  ///
  /// PipeWire's is a node of the server's process. PulseAudio's sink has frames of it, or makes up for the time.
  var holdsWhileStopped: Bool { isPipeWire }

  /// Read indices, and notices of what was missing, are exact to the frame.
  var tellsUnderruns: Bool { !isPipeWire }

  /// A read index may be one of before.
  ///
  /// PipeWire's data thread reads, and its main thread advances the index when it hears of that (`do_process_done`).
  var tellsReadIndexLate: Bool { isPipeWire }

  /// Frames that are to be heard behind the last one before the stream is corked.
  ///
  /// Corked right at the end, PipeWire lost 57 frames. There is silence there, `AudioRenderer.tailMilliseconds` of it:
  /// what comes late by more than that on a busy machine would count as a block, and is never heard.
  static func framesBehindEnd(sampleRate: Int, largestBlock: Int64) -> Int64 {
    min(largestBlock, Int64(sampleRate) / 4) + Int64(sampleRate) / 20
  }

  /// Reports in quick succession at a start where only the read index shows the sink's blocks.
  ///
  /// Until it is known when a block falls, a rewrite begins up to a block later than it could. In quanta
  /// of 2.7 and 5.3 ms each of the eight falls at another place.
  static let quickReports = 8
  /// Quick reports at most, while the read index stands still: 67 ms, longer than a quantum of 43.
  ///
  /// With eight the clock was up to 20 ms late in the first quarter of a second.
  static let mostQuickReports = 32
  /// Nanoseconds from one to the next: 2.1 ms with what a timer adds.
  static let quickReportWait = 1_100_000
}
