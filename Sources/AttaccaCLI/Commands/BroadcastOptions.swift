// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AttaccaNetwork

/// Options for broadcasts.
struct BroadcastOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "What becomes of a paused broadcast: it goes on where it was, or with what is sent then.",
      valueName: "holds|goes-on-live"))
  var pausedBroadcast = PausedBroadcastChoice.holds

  /// The policy as the library has it.
  var policy: HTTPOptions.LivePolicy { pausedBroadcast.policy }
}

/// A broadcast's policy as it is written.
enum PausedBroadcastChoice: String, CaseIterable, ExpressibleByArgument {
  case holds
  case goesOnLive = "goes-on-live"

  var policy: HTTPOptions.LivePolicy { self == .holds ? .holds : .goesOnLive }
}
