// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import AttaccaNetwork

/// Options for the cache of files on servers.
struct CacheOptions: ParsableArguments {
  @Flag(
    help: """
      Keep what is loaded of files on servers for later runs, up to 1 GB in the cache folder, as long as the server has \
      the same file.
      """)
  var cache = false

  /// The cache that was asked for; nil for none.
  var asked: HTTPCache? { cache ? HTTPCache() : nil }
}
