// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca

/// Further places that a measurement's results go to.
struct ReportOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Also write all figures there.", valueName: "file"))
  var json: BytePath?

  @Option(
    help: ArgumentHelp("Also write a page with plots there, for a browser.", valueName: "file"))
  var html: BytePath?
}
