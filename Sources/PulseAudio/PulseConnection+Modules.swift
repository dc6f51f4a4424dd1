// SPDX-License-Identifier: Apache-2.0
internal import CPulse

extension PulseConnection {
  /// Loads a module into the server; blocks for a round trip.
  ///
  /// For servers of one's own: a user's is not ours to change. Not on the mainloop thread, nor with
  /// the lock held.
  /// The corresponding PulseAudio call is `pa_context_load_module`.
  ///
  /// - Parameters:
  ///   - name: As in "module-null-sink".
  ///   - arguments: As in "sink_name=a rate=48000".
  /// - Throws: Where the server has no such module, or refuses the arguments.
  package func loadModule(_ name: String, arguments: String = "") throws(PulseError) {
    preconditionMayBlock()
    try withLock { () throws(PulseError) in
      let call = "pa_context_load_module"
      let subject = "module ‘\(name)’"
      var index = UInt32.max
      try withUnsafeMutablePointer(to: &index) { index throws(PulseError) in
        try wait(
          for: pa_context_load_module(
            context, name, arguments,
            { _, loaded, index in
              index!.assumingMemoryBound(to: UInt32.self).pointee = loaded
            }, index), call: call, subject: subject)
      }
      guard index != .max else { throw PulseError(of: context, call: call, subject: subject) }
    }
  }
}
