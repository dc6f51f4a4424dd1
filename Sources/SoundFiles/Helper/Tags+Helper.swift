// SPDX-License-Identifier: Apache-2.0

import DecodeMessages

extension Tags {
  /// Tags by the names that libavformat has for them; a name that comes again has another value of it.
  init(helper tags: [StreamDescription.Tag]) {
    self.init()
    for tag in tags {
      let name = tag.name.lowercased()
      if Self.others.contains(name) || name.hasPrefix("_statistics") { continue }
      // With the language behind it.
      add(tag.value, to: name.hasPrefix("lyrics-") ? .lyrics : Name(name))
    }
  }

  /// Names that libavformat tells of the container by the same way.
  private static let others: Set<String> = [
    "major_brand", "minor_version", "compatible_brands", "creation_time", "handler_name",
    "vendor_id", "itunsmpb", "itunnorm", "itunpgap", "gapless_playback", "duration", "bps",
    "number_of_frames", "number_of_bytes", "variant_bitrate", "media_type", "language",
  ]
}
