// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Synchronization

/// Options for the way in which errors are told.
struct ErrorOptions: ParsableArguments {
  @Flag(help: "Name the function that failed, and its code, with each error.")
  var verbose = false

  func validate() { ErrorText.isVerbose.store(verbose, ordering: .relaxed) }
}
