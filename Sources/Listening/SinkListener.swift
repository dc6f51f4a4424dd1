// SPDX-License-Identifier: Apache-2.0

import Dispatch
package import PulseAudio
import SampleBuffers

/// Ears at a sink that change nothing of how it plays: a reference stream on one channel beside a
/// recorder of the monitor that takes 2 s at a time.
///
/// What is heard on other channels is known by the reference frames that were heard with it, and those by
/// the server's clock. A recorder of 2 ms would make the sink render blocks of 2 ms.
///
/// `@unchecked Sendable`: `heard` and `failure` are touched between wait and signal of `semaphore`
/// only.
package final class SinkListener: @unchecked Sendable {
  /// The length of the recorder's fragments in seconds.
  package static let fragmentSeconds = 2
  /// The longest block that PulseAudio's sinks take beside a reference of 2 s.
  package static let longestBlock = Duration.milliseconds(1_960)

  private let connection: PulseConnection
  private let sink: String
  private let isPipeWire: Bool
  private let reference: ReferenceStream
  private var recording: RecordingStream?
  private let semaphore = DispatchSemaphore(value: 1)
  private let arrived = DispatchSemaphore(value: 0)
  private var heard: HeardFrames
  private var failure: PulseError?

  /// Begins to listen, and returns once the reference plays.
  ///
  /// - Parameters:
  ///   - connection: The server.
  ///   - sink: The sink's name.
  ///   - channels: Those that are listened to.
  ///   - referenceChannel: Another one, on which nobody else may play anything.
  ///   - block: The longest block that the sink may take.
  /// - Throws: Where there is no such sink, or it has not those channels.
  package init(
    connection: PulseConnection, sink: String, channels: Range<Int> = 0..<1,
    referenceChannel: Int = 1, block: Duration = SinkListener.longestBlock
  ) throws(PulseError) {
    let format = try connection.sink(named: sink).format
    precondition(
      !channels.isEmpty && !channels.contains(referenceChannel)
        && channels.upperBound <= format.channelCount,
      "channels \(channels) of \(format.channelCount), the reference on \(referenceChannel)")
    heard = HeardFrames(channelCount: channels.count)
    (self.connection, self.sink) = (connection, sink)
    isPipeWire = try connection.serverDescription().isPipeWire
    reference = try ReferenceStream(
      connection: connection, sink: sink, channel: referenceChannel, block: block)
    let stride = format.channelCount
    let first = channels.lowerBound
    recording = try RecordingStream(
      connection: connection, source: sink + ".monitor", format: format,
      fragment: .seconds(Self.fragmentSeconds), mediaName: "listener",
      onFailure: { [weak self] error in
        guard let self else { return }
        semaphore.withLock { failure = error }
        arrived.signal()
      },
      receiver: { [weak self] samples, frames, _ in
        guard let self else { return }
        semaphore.withLock {
          // A hole has no reference either.
          guard let samples else { return }
          for i in 0..<frames {
            heard.append(
              samples + i * stride + first, reference: samples[i * stride + referenceChannel])
          }
        }
        arrived.signal()
      })
  }

  /// This moment, and the reference frame that is heard at it.
  ///
  /// - Throws: Where the sink or the server is gone.
  package func moment() throws(PulseError) -> HeardMoment { try reference.moment() }

  /// Everything recorded up to `number`, once it is; nil where nothing arrives for 20 s.
  ///
  /// - Throws: Where the recording has ended.
  package func frames(through number: Int) throws(PulseError) -> HeardFrames? {
    while true {
      let (heard, failure) = semaphore.withLock { (self.heard, self.failure) }
      if heard.end > number { return heard }
      if let failure { throw failure }
      guard arrived.wait(timeout: .now() + 20) == .success else { return nil }
    }
  }

  /// Everything recorded so far, seconds behind what is heard.
  package var recorded: HeardFrames { semaphore.withLock { heard } }

  /// Nanoseconds that the sink holds at most as it is now; PipeWire's last cycle there.
  ///
  /// - Throws: Where the sink or the server is gone.
  package func sinkLatency() throws(PulseError) -> Int {
    if isPipeWire { return reference.cycle * 1_000_000_000 / reference.sampleRate }
    let latency = try connection.sink(named: sink).configuredLatency.components
    return Int(latency.seconds) * 1_000_000_000 + Int(latency.attoseconds / 1_000_000_000)
  }

  /// Frames that the monitor did not give so far.
  package var missed: Int { semaphore.withLock { heard.missed + heard.unnumbered } }

  /// Lets go of what was heard before `number`.
  package func forget(before number: Int) {
    semaphore.withLock { heard.forget(before: number) }
  }

  /// Ends both streams.
  package func close() {
    recording?.close()
    reference.close()
  }
}
