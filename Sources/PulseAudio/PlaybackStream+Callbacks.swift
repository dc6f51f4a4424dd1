// SPDX-License-Identifier: Apache-2.0
internal import CPulse
internal import SampleBuffers

/// Callbacks that libpulse calls on the mainloop thread, lock held. Each takes the stream back from its
/// address, which is good until `close()` has removed the callback; the frequent one does not
/// retain.
extension PlaybackStream {
  func installCallbacks() {
    guard let stream else { return }
    let me = Unmanaged.passUnretained(self).toOpaque()
    pa_stream_set_write_callback(
      stream,
      { _, bytes, me in
        Unmanaged<PlaybackStream>.fromOpaque(me!)._withUnsafeGuaranteedRef {
          $0.tellRequested(bytes / $0.format.bytesPerFrame)
        }
      }, me)
    pa_stream_set_underflow_callback(
      stream,
      { stream, me in
        keep(me) {
          $0.cursor.forgetIndex()
          let index = pa_stream_get_underflow_index(stream) / Int64($0.format.bytesPerFrame)
          let frame = $0.firstFrame + index
          $0.events.underflowed(at: frame, on: $0)
        }
      }, me)
    pa_stream_set_moved_callback(
      stream,
      { _, me in
        keep(me) {
          $0.cursor.forgetIndex()
          $0.readBufferAttributes()
          $0.events.moved($0)
        }
      }, me)
    pa_stream_set_suspended_callback(
      stream,
      { stream, me in
        let isSuspended = pa_stream_is_suspended(stream) > 0
        keep(me) {
          $0.cursor.forgetIndex()
          $0.events.suspended(isSuspended, on: $0)
        }
      }, me)
    pa_stream_set_buffer_attr_callback(
      stream,
      { _, me in
        keep(me) {
          $0.readBufferAttributes()
          $0.events.bufferAttributesChanged(on: $0)
        }
      }, me)
    pa_stream_set_event_callback(
      stream,
      { _, name, _, me in
        guard let name = name.map({ String(cString: $0) }) else { return }
        switch name {
        case PA_STREAM_EVENT_REQUEST_CORK: keep(me) { $0.corkRequested(true) }
        case PA_STREAM_EVENT_REQUEST_UNCORK: keep(me) { $0.corkRequested(false) }
        default: break
        }
      }, me)
    pa_stream_set_state_callback(
      stream,
      { stream, me in
        let state = pa_stream_get_state(stream)
        guard state == PA_STREAM_FAILED || state == PA_STREAM_TERMINATED else { return }
        keep(me) {
          $0.cancelRequests()
          let error = $0.failure("pa_stream_get_state")
          $0.end = error
          $0.events.failed(error, on: $0)
        }
      }, me)
  }

  func removeCallbacks(_ stream: OpaquePointer) {
    pa_stream_set_write_callback(stream, nil, nil)
    pa_stream_set_underflow_callback(stream, nil, nil)
    pa_stream_set_moved_callback(stream, nil, nil)
    pa_stream_set_suspended_callback(stream, nil, nil)
    pa_stream_set_buffer_attr_callback(stream, nil, nil)
    pa_stream_set_event_callback(stream, nil, nil)
    pa_stream_set_state_callback(stream, nil, nil)
  }
}

/// Retains the stream meanwhile, as an owner may let it go in what is called.
private func keep(_ me: UnsafeMutableRawPointer?, _ body: (PlaybackStream) -> Void) {
  body(Unmanaged<PlaybackStream>.fromOpaque(me!).takeUnretainedValue())
}
