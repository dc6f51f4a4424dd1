// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import Glibc

/// Plays files for ever, as the music of a shop: started before the sound server, through its restarts, until
/// it is told to end.
///
///     swift run Service *.flac      # SIGUSR1: the next one; SIGTERM or Ctrl-C: fades out and ends
@main struct Service {
  static func main() async throws {
    var paths = Array(CommandLine.arguments.dropFirst())
    let isSilent = paths.first == "--silent"
    if isSilent { paths.removeFirst() }
    guard !paths.isEmpty else {
      print("Service [--silent] FILE...")
      exit(64)
    }
    let player = SampleBufferPlayer(renderer: try await renderer(isSilent: isSilent))
    let events = player.events
    player.playlist.append(contentsOf: paths.map { PlaylistItem(path: $0) })
    player.setRepeatMode(.all)
    player.play()

    let next = onSignal(SIGUSR1) { player.next() }
    let ends = [SIGTERM, SIGINT].map { number in
      onSignal(number) {
        player.fade(to: 0, over: MediaTime(value: 1, timescale: 2))
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.6) { player.stop() }
      }
    }
    defer { for source in ends + [next] { source.cancel() } }
    try await follow(events)
    log("ended")
  }

  /// A line for the journal, at once.
  private static func log(_ text: String) {
    print(text)
    fflush(nil)
  }

  /// Power is saved: nobody touches it, and longer blocks wake the server a tenth as often.
  private static func renderer(isSilent: Bool) async throws -> AudioRenderer {
    if isSilent { return NullRenderer(latency: .powerSaving) }
    while true {
      do {
        return try PulseAudioRenderer(latency: .powerSaving, applicationName: "Service")
      } catch {
        guard error.isServerMissing else { throw error }
        // It may come later; once it has been there, the renderer itself waits for it.
        log("\(error); trying again")
        try await Task.sleep(for: .seconds(2))
      }
    }
  }

  private static func onSignal(
    _ number: Int32, _ body: @escaping @Sendable () -> Void
  ) -> any DispatchSourceSignal {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
    source.setEventHandler(handler: body)
    source.resume()
    return source
  }

  /// Tells what happens, for the journal, until it is stopped.
  private static func follow(_ events: EventSequence<PlaybackEvent>) async throws {
    for await event in events {
      switch event {
      case .currentItemDidChange(let item?): log("playing \(item.path)")
      case .currentItemDidChange(nil): return
      case .mediaServicesWereLost(let error): log("no sound: \(error)")
      case .mediaServicesWereReset: log("there is sound again")
      case .routeDidChange(let change): log("\(change)")
      case .underrun(let time): log("ran dry at \(time.seconds) s")
      case .waitingBegan(let wait): log("\(wait)")
      case .interruptionBegan(let cause): log("interrupted: \(cause)")
      case .interruptionEnded(let cause, _): log("no more interrupted: \(cause)")
      case .itemsDidFail(let failures):
        for failure in failures { log("\(failure)") }
      case .failed(let error): throw error
      default: break
      }
    }
  }
}
