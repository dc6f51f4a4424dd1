// SPDX-License-Identifier: Apache-2.0

import MediaTime
public import SoundFiles

extension PlaylistFile {
  /// Values of entries that a format may have no place for.
  public enum Loss: String, Hashable, Sendable, CaseIterable {
    /// Parts of files: whole files are written.
    case clips
    /// Parts whose ends are not the beginnings of those that follow.
    case ends
    /// Times that are no 75ths of a second: the nearest are written.
    case fractions
    /// Silence in front of items.
    case gaps
    /// Tags but the title.
    case tags
  }

  /// Writes the list to `path`, in the format that its name says; blocks as long as the disk does.
  ///
  /// The file is there as a whole or not at all. Paths below its folder are written relative to it.
  ///
  /// - Parameters:
  ///   - path: The new list.
  ///   - overwrites: Whether a file that is there is replaced.
  /// - Returns: What the format has no place for.
  /// - Throws: `exists`, `unwritable`, or `unsupported` where the name is that of no list.
  @discardableResult public func write(
    to path: BytePath, overwrites: Bool = false
  ) throws(SoundFileError) -> Set<Loss> {
    guard let format = Format(path) else {
      throw SoundFileError(
        .unsupported, path: path.text, call: "PlaylistFile",
        cause: "not a list by its name: .m3u, .m3u8, .pls, .xspf, .cue and .asx are written")
    }
    let names = WrittenNames(of: path)
    let text: String
    switch format {
    case .m3u: text = M3UWriter.text(of: self, names)
    case .pls: text = PLSWriter.text(of: self, names)
    case .xspf: text = XSPFWriter.text(of: self, names)
    case .asx: text = ASXWriter.text(of: self, names)
    case .cue: text = CueWriter.text(of: self, names)
    }
    try WholeFile.write(Array(text.utf8), to: path, overwrites: overwrites)
    return losses(in: format)
  }

  /// The values of the entries that `format` has no place for.
  public func losses(in format: Format) -> Set<Loss> {
    var losses: Set<Loss> = []
    for (i, entry) in entries.enumerated() {
      if format == .pls, entry.isClip { losses.insert(.clips) }
      if format != .cue, entry.gap ?? .zero > .zero { losses.insert(.gaps) }
      let kept: Set<Tags.Name> =
        switch format {
        case .m3u: [.title, .album, .albumArtist, .genre]
        case .pls: [.title]
        case .asx: [.title, .artist]
        case .xspf: [.title, .artist, .album, .track, .comment]
        case .cue: Set(entry.tags.names)
        }
      if !kept.isSuperset(of: entry.tags.names) { losses.insert(.tags) }
      guard format == .cue else { continue }
      let next = i + 1 < entries.count && entries[i + 1].path == entry.path ? entries[i + 1] : nil
      if entry.end != next.map({ $0.start }) { losses.insert(.ends) }
      if isRounded(entry.start) || isRounded(entry.gap ?? .zero) { losses.insert(.fractions) }
    }
    return losses
  }

  /// True where a cue sheet has the nearest 75th of a second for `time`; other formats write nanoseconds.
  private func isRounded(_ time: MediaTime) -> Bool {
    let written = RationalTime(frames: CueWriter.frames(time), rate: 75)
    return RationalTime(time).frames(at: 1_000_000_000) != written.frames(at: 1_000_000_000)
  }
}
