// SPDX-License-Identifier: Apache-2.0

package import Listening
import PulseAudio
package import SampleBuffers

/// Tells when what a call changes is heard at a sink, by a reference stream, to the frame.
///
/// The sink renders the blocks that it renders alone: see `SinkListener`. Frames are known by the
/// reference's numbers.
package struct ChangeListener: Sendable {
  /// A sink's format that leaves a channel to the reference: nothing of stereo goes into the third.
  package static let format = AudioFormat(
    sampleRate: 48_000, layout: ChannelLayout([.frontLeft, .frontRight, .lowFrequency]))

  /// What plays the reference and records.
  package let listener: SinkListener

  /// Begins to listen at a sink of `format`.
  ///
  /// - Throws: Where there is no such sink.
  package init(_ server: PrivateServer, sink: String) throws {
    listener = try SinkListener(
      connection: server.connect(), sink: sink, channels: 0..<2, referenceChannel: 2)
  }

  /// Runs `body`; the moment is the one right before it.
  package func call(_ body: () throws -> Void) throws -> HeardMoment {
    let moment = try listener.moment()
    try body()
    return moment
  }

  /// The number of the first frame after `moment` that does not follow from the one before it on the
  /// first channel, among `frames`; waits for them.
  ///
  /// Its distance to `moment.number` is how many frames the change took to be heard.
  ///
  /// - Throws: Where all follow.
  package func change(
    after moment: HeardMoment, within frames: Int = 96_000,
    follows: (_ last: Float, _ next: Float) -> Bool
  ) throws -> Int {
    let end = moment.number + frames
    guard let heard = try listener.frames(through: end),
      let change = heard.firstBreak(after: moment.number, follows: follows), change < end
    else { throw TestServerError("in \(frames) frames after \(moment) nothing changes") }
    return change
  }

  /// Interleaved stereo frames of the numbers, NaN where the monitor gave none; waits for them.
  package func recording(_ numbers: Range<Int>) throws -> [Float] {
    guard let heard = try listener.frames(through: numbers.upperBound) else {
      throw TestServerError("the monitor has given nothing for 20 s")
    }
    return heard[numbers]
  }
}
