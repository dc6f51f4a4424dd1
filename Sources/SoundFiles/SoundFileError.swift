// SPDX-License-Identifier: Apache-2.0

/// A failure of one file, with the call that met it.
///
/// The end of a file is no error: reading returns `nil` there.
public struct SoundFileError: Error, Hashable, Sendable {
  /// The kinds of failure that a caller can do something about.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// There is no such file.
    case missing
    /// The file is there and cannot be opened or read: rights, a folder, a pipe, a failing disk.
    case unreadable
    /// The file holds no byte, or a header and no frame.
    case empty
    /// The first bytes belong to no audio format known here.
    case notAudio
    /// Audio, of a kind that is not decoded (or not written) here.
    case unsupported
    /// A header that states an impossible rate, channel count or length.
    case absurdHeader
    /// The file ends before what its header promises; what is there has been played.
    case truncated
    /// The decoder gave up in the middle.
    case broken
    /// The file to be written is there already.
    case exists
    /// The file cannot be written: rights, a full disk, a limit of its format.
    case unwritable
  }

  /// The kinds of failure that a caller can do something about.
  public let kind: Kind
  /// The file, as the caller named it.
  public let path: String
  /// The function that failed, of the C library, the system or this module.
  public let call: String
  /// The library's or the system's own code, 0 where there is none.
  public let code: Int32
  /// The cause, in the library's words where it has any.
  public let cause: String

  /// An error that may come from outside this module too, such as a decoder's watchdog.
  public init(
    _ kind: Kind, path: String, call: String, code: Int32 = 0, cause: String
  ) {
    (self.kind, self.path, self.call, self.code) = (kind, path, call, code)
    self.cause = cause
  }
}

extension SoundFileError: CustomStringConvertible, CustomDebugStringConvertible {
  /// One line, as in "album/03.flac: cut short: 12345 of 90000 frames".
  public var description: String { "\(path): \(words): \(cause)" }

  /// `description` with the call and the code that it met, as in "…: 12345 of 90000 frames
  /// (sf_readf_float)".
  public var debugDescription: String {
    "\(description) (\(code == 0 ? call : "\(call), code \(code)"))"
  }

  private var words: String {
    switch kind {
    case .missing: "not there"
    case .unreadable: "cannot be read"
    case .empty: "empty"
    case .notAudio: "not audio"
    case .unsupported: "not supported"
    case .absurdHeader: "impossible header"
    case .truncated: "cut short"
    case .broken: "broken"
    case .exists: "exists already"
    case .unwritable: "cannot be written"
    }
  }
}
