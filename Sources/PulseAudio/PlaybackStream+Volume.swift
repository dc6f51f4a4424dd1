// SPDX-License-Identifier: Apache-2.0
internal import CPulse
internal import MediaTime

extension PlaybackStream {
  /// The question for the volume that is under way.
  enum VolumeRequest {
    case none
    case pending(OpaquePointer)
    /// The volume changed again since the question.
    case outdated(OpaquePointer)

    mutating func cancel() {
      switch self {
      case .none: break
      case .pending(let operation), .outdated(let operation):
        pa_operation_cancel(operation)
        pa_operation_unref(operation)
      }
      self = .none
    }
  }

  /// The server's volume for this stream, as a factor on the samples: 0 is silence, 1 as written,
  /// above 1 amplified; the mean of the channels.
  ///
  /// Never written by this side. Any thread.
  public var outputVolume: Float { grants.volume }

  /// True where the server mutes this stream.
  ///
  /// Never written by this side. Any thread.
  public var isOutputMuted: Bool { grants.isMuted }

  /// Follows the volume from here on, lock held.
  func mirrorVolume() {
    guard let stream else { return }
    let index = pa_stream_get_index(stream)
    mirroredInput = index
    connection.streams[index] = Unmanaged.passUnretained(self)
    connection.subscribe()
    askForVolume()
  }

  /// Asks for the volume unless a question is under way, which is then asked once more.
  func askForVolume() {
    switch volumeRequest {
    case .outdated: return
    case .pending(let operation):
      volumeRequest = .outdated(operation)
      return
    case .none: break
    }
    guard let stream else { return }
    let operation = pa_context_get_sink_input_info(
      connection.context, pa_stream_get_index(stream),
      { _, info, end, me in
        let me = Unmanaged<PlaybackStream>.fromOpaque(me!).takeUnretainedValue()
        if end == 0, let info { me.read(info.pointee) } else { me.volumeRequestEnded() }
      }, Unmanaged.passUnretained(self).toOpaque())
    if let operation { volumeRequest = .pending(operation) }
  }

  private func read(_ info: pa_sink_input_info) {
    var volume = info.volume
    let factor = Float(pa_sw_volume_to_linear(pa_cvolume_avg(&volume)))
    // PipeWire tells 0 of a stream that it has just made (2 of 11), and 0.5 to 1.5 ms later what it gives it. A stream
    // that is kept at 0 is asked for until then.
    if factor == 0, HostTime.now() < volumeIsGivenAt {
      askForVolume()
      return
    }
    guard grants.note(volume: factor, isMuted: info.mute != 0) else { return }
    events.outputVolumeChanged(on: self)
  }

  private func volumeRequestEnded() {
    switch volumeRequest {
    case .none: break
    case .pending(let operation):
      pa_operation_unref(operation)
      volumeRequest = .none
    case .outdated(let operation):
      pa_operation_unref(operation)
      volumeRequest = .none
      askForVolume()
    }
  }
}
