// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials

/// The reason why a URL is no item of a playlist.
public enum FileURLError: Error, Hashable, Sendable {
  /// The URL has another scheme than `file`.
  case notAFile(URL)
  /// The URL's path is empty.
  case noPath(URL)
}

extension FileURLError: CustomStringConvertible {
  /// The refusal in words, as in "https://example.org/a.mp3 is not a file: download it, and give the file's URL".
  public var description: String {
    switch self {
    case .notAFile(let url):
      "\(url.absoluteString) is not a file: download it, and give the file's URL"
    case .noPath(let url):
      "\(url.absoluteString) has no path: give a file's absolute path behind file://"
    }
  }
}
