// SPDX-License-Identifier: Apache-2.0

public import SoundFiles

extension PlaylistFile {
  /// Formats of lists that are read and written.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    /// Lines of paths, with remarks of Winamp's and VLC's: M3U and M3U8.
    case m3u
    /// Winamp's and SHOUTcast's numbered list.
    case pls
    /// XML of the Xiph foundation.
    case xspf
    /// Tracks of one file or several, in frames of a CD.
    case cue
    /// Windows Media's list, which looks like XML.
    case asx

    /// The format that the name of a list says; nil for what is none of a list.
    public init?(_ path: BytePath) {
      switch path.fileExtension {
      case "m3u", "m3u8": self = .m3u
      case "pls": self = .pls
      case "xspf": self = .xspf
      case "cue": self = .cue
      case "asx", "wax", "wvx": self = .asx
      default: return nil
      }
    }

    /// The format that a text begins as, where its name says nothing or lies; nil for one of paths alone.
    init?(beginning text: ArraySlice<UInt8>) {
      let head = String(decoding: text.prefix(512), as: UTF8.self).lowercased()
      let start = head.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
      if start.hasPrefix("[playlist]") || start.hasPrefix("[reference]") {
        self = .pls
      } else if start.hasPrefix("<asx") {
        self = .asx
      } else if start.hasPrefix("<") {
        self = .xspf
      } else {
        return nil
      }
    }
  }
}
