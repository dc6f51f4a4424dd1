// SPDX-License-Identifier: Apache-2.0

/// A folder in which what is loaded of servers is kept for later runs, up to a number of bytes.
///
/// Each time a file is opened its server is asked whether it has changed; one that has not is not sent again, and where
/// no server can be reached what is there as a whole plays. Files that have neither a tag (ETag) nor a date
/// (Last-Modified), broadcasts and streams of segments are not kept. Several processes may use one folder at once.
public struct HTTPCache: Hashable, Sendable {
  /// Path of the folder, which is made when something is kept.
  public var folder: String
  /// Bytes that the files may have together, 1 GB by default; what was used longest ago goes first.
  public var sizeLimit: Int64

  /// The cache in `folder`; without one it is `attacca/http` in the user's cache folder (`XDG_CACHE_HOME`).
  public init(folder: String? = nil, sizeLimit: Int64 = 1 << 30) {
    (self.folder, self.sizeLimit) = (folder ?? CacheFolder.standard, sizeLimit)
  }

  /// Takes away all that is kept there, but for what somebody reads now.
  public func removeAll() { CacheFolder(self).makeRoom(for: .max) }
}
