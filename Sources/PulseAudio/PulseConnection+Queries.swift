// SPDX-License-Identifier: Apache-2.0
internal import CPulse

extension PulseConnection {
  /// Asks the server what it is; blocks for a round trip.
  ///
  /// Not on the mainloop thread, nor with the lock held.
  /// The corresponding PulseAudio call is `pa_context_get_server_info`.
  public func serverDescription() throws(PulseError) -> PulseServer {
    preconditionMayBlock()
    return try withLock { () throws(PulseError) in try queryServer() }
  }

  /// Asks for all sinks; blocks for a few round trips.
  ///
  /// Not on the mainloop thread, nor with the lock held.
  /// The corresponding PulseAudio call is `pa_context_get_sink_info_list`.
  public func sinks() throws(PulseError) -> [PulseSink] {
    preconditionMayBlock()
    return try withLock { () throws(PulseError) in
      var answer = try ask(
        SinkAnswer(defaultName: try queryServer().defaultSinkName),
        call: "pa_context_get_sink_info_list"
      ) { pa_context_get_sink_info_list(context, SinkAnswer.arrived, $0) }
      for i in answer.sinks.indices { try queryRewinding(&answer.sinks[i]) }
      return answer.sinks
    }
  }

  /// Asks for one sink; blocks for a few round trips.
  ///
  /// Not on the mainloop thread, nor with the lock held.
  /// The corresponding PulseAudio call is `pa_context_get_sink_info_by_name`.
  ///
  /// - Parameter name: `nil` is the default sink.
  /// - Returns: The sink as it is now.
  /// - Throws: Where there is no such sink, or the server is gone.
  public func sink(named name: String?) throws(PulseError) -> PulseSink {
    preconditionMayBlock()
    return try withLock { () throws(PulseError) in
      var sink = try querySink(name, defaultName: try queryServer().defaultSinkName).sink
      try queryRewinding(&sink)
      return sink
    }
  }

  /// One sink with its specification and channel map as the server gave them; lock held once.
  func querySink(
    _ name: String?, defaultName: String? = nil
  ) throws(PulseError) -> (sink: PulseSink, specification: pa_sample_spec, map: pa_channel_map) {
    let call = "pa_context_get_sink_info_by_name"
    let subject = name.map { "sink ‘\($0)’" } ?? "the default sink"
    let answer = try ask(SinkAnswer(defaultName: defaultName), call: call, subject: subject) {
      pa_context_get_sink_info_by_name(context, name ?? "@DEFAULT_SINK@", SinkAnswer.arrived, $0)
    }
    guard let sink = answer.sinks.first else {
      throw PulseError(of: context, call: call, subject: subject)
    }
    return (sink, answer.specification, answer.map)
  }

  private struct SinkAnswer {
    let defaultName: String?
    var sinks: [PulseSink] = []
    var specification = pa_sample_spec()
    var map = pa_channel_map()

    init(defaultName: String?) { self.defaultName = defaultName }

    static let arrived: pa_sink_info_cb_t = { _, info, end, answer in
      guard end == 0, let info = info?.pointee else { return }
      let answer = answer!.assumingMemoryBound(to: SinkAnswer.self)
      answer.pointee.sinks.append(PulseSink(info, defaultName: answer.pointee.defaultName))
      answer.pointee.specification = info.sample_spec
      answer.pointee.map = info.channel_map
    }
  }

  private func queryServer() throws(PulseError) -> PulseServer {
    let call = "pa_context_get_server_info"
    let server = try ask(PulseServer?.none, call: call) {
      pa_context_get_server_info(
        context,
        { _, info, answer in
          guard let info = info?.pointee else { return }
          answer!.assumingMemoryBound(to: PulseServer?.self).pointee = PulseServer(info)
        }, $0)
    }
    guard let server else { throw PulseError(of: context, call: call) }
    return server
  }

  /// Null sinks rewind unless their module's arguments say `norewinds=1`.
  func queryRewinding(_ sink: inout PulseSink) throws(PulseError) {
    guard sink.driver == PulseSink.nullSinkDriver, let module = sink.ownerModule else { return }
    let arguments = try ask(
      String?.none, call: "pa_context_get_module_info", subject: "sink ‘\(sink.name)’"
    ) {
      pa_context_get_module_info(
        context, module,
        { _, info, end, answer in
          guard end == 0, let info = info?.pointee else { return }
          answer!.assumingMemoryBound(to: String?.self).pointee =
            info.argument.map { String(cString: $0) } ?? ""
        }, $0)
    }
    guard let arguments else { return }
    sink.isKnownToRewind = !["1", "yes", "true", "on"].contains {
      " \(arguments) ".contains(" norewinds=\($0) ")
    }
  }

  /// Runs a query whose callback writes into `blank`; lock held once.
  private func ask<Answer>(
    _ blank: consuming Answer, call: String, subject: String? = nil,
    start: (UnsafeMutableRawPointer) -> OpaquePointer?
  ) throws(PulseError) -> Answer {
    var answer = blank
    try withUnsafeMutablePointer(to: &answer) { pointer throws(PulseError) in
      try wait(for: start(pointer), call: call, subject: subject)
    }
    return answer
  }
}
