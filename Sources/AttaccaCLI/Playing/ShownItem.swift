// SPDX-License-Identifier: Apache-2.0

import Attacca

/// The item that is heard, as a line shows it.
struct ShownItem {
  /// nil before the first.
  private(set) var item: PlaylistItem?
  /// The artist and the title of its tags, or its file's name.
  private(set) var title = ""
  /// The title of the chapter that is heard; empty for none.
  private(set) var chapter = ""

  /// The title, and the chapter's where there is one.
  var text: String { chapter.isEmpty ? title : "\(title): \(chapter)" }

  mutating func begin(_ item: PlaylistItem) { self.item = item }

  /// Takes the tags of `item` in.
  ///
  /// - Returns: what names it where nothing else tells its file.
  mutating func name(_ item: PlaylistItem, by tags: Tags) -> String {
    let path = item.path.onOneLine
    guard tags.title != nil else {
      title = item.bytePath.name.text.onOneLine
      return path
    }
    title = [tags.artist, tags.title].compactMap { $0 }.joined(separator: " – ").onOneLine
    return "\(title) (\(path))"
  }

  /// Another chapter is heard, or none.
  mutating func begin(_ new: Chapter?) { chapter = (new?.title ?? "").onOneLine }
}

extension String {
  /// Without line ends and other controls.
  var onOneLine: String {
    String(withoutControls.map { $0.isNewline ? " " : $0 })
  }
}
