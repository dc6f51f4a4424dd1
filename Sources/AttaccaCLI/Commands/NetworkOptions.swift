// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AttaccaNetwork

/// Options for files and broadcasts on servers.
struct NetworkOptions: ParsableArguments {
  @Flag(
    help: """
      Keep what is loaded of files on servers for later runs, up to 1 GB in the cache folder, as long as the server has \
      the same file.
      """)
  var cache = false

  @Option(
    help: ArgumentHelp(
      "What becomes of a paused broadcast: it goes on where it was, or with what is sent then.",
      valueName: "holds|goes-on-live"))
  var pausedBroadcast = PausedBroadcastChoice.holds

  /// The options as the library has them.
  var options: HTTPOptions {
    var options = HTTPOptions()
    if cache { options.cache = HTTPCache() }
    options.livePolicy = pausedBroadcast.policy
    return options
  }
}

/// A broadcast's policy as it is written.
enum PausedBroadcastChoice: String, CaseIterable, ExpressibleByArgument {
  case holds
  case goesOnLive = "goes-on-live"

  var policy: HTTPOptions.LivePolicy { self == .holds ? .holds : .goesOnLive }
}
