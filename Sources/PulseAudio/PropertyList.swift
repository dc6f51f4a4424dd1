// SPDX-License-Identifier: Apache-2.0
import Preconditions
internal import CPulse

/// A `pa_proplist` for the length of one call.
struct PropertyList: ~Copyable {
  let raw: OpaquePointer

  init(_ properties: [String: String]) {
    raw = pa_proplist_new()
    for (key, value) in properties {
      let code = pa_proplist_sets(raw, key, value)
      require(code == 0, "‘\(key)’ = ‘\(value)’ is no PulseAudio property")
    }
  }

  deinit { pa_proplist_free(raw) }
}
