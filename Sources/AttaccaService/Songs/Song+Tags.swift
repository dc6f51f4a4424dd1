// SPDX-License-Identifier: Apache-2.0

import SoundFiles

extension Song {
  /// The values that the engine's tags have for those of the protocol.
  static func values(of tags: Tags) -> [SongValue] {
    var values: [SongValue] = []
    for tag in SongTag.allCases {
      for subject in tag.subjects {
        for text in tags[subject] where !text.isEmpty {
          let isPlace = (tag == .track || tag == .disc) && text.first?.isNumber ?? false
          // "3 of 12" is the third.
          let told = isPlace ? String(text.prefix { $0 != "/" }) : text
          values.append(SongValue(tag: tag, text: cleaned(told)))
        }
      }
    }
    return values
  }

  /// Text without characters that would end its line.
  private static func cleaned(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 < 0x20 }) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
  }
}
