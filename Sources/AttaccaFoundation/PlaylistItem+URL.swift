// SPDX-License-Identifier: Apache-2.0

public import Attacca
public import FoundationEssentials

extension PlaylistItem {
  /// A new item for the file that `url` names, whose path may be of any bytes: %E9 is one byte.
  ///
  /// The corresponding initializer is `AVPlayerItem(url:)`.
  ///
  /// - Throws: `FileURLError` where it names something else than a file, as an http URL does.
  public init(url: URL) throws(FileURLError) {
    guard url.isFileURL else { throw .notAFile(url) }
    let path = url.absoluteURL.path(percentEncoded: true)
    guard !path.isEmpty, let path = BytePath(address: BytePath("file://" + path)) else {
      throw .noPath(url)
    }
    self.init(path: path)
  }
}
