// SPDX-License-Identifier: Apache-2.0

import MediaTime
import SampleBuffers
public import SoundFiles

/// An item's format, duration, tags, chapters and pictures, loaded when they are asked for, without playing it.
///
/// `let (duration, tags) = try await asset.load(.duration, .tags)` opens the source once, on a thread of its own, for
/// all who ask. The corresponding class is `AVURLAsset`.
public final class AudioAsset: Sendable {
  /// Options with which an asset is loaded.
  public struct Options: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Options by their bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Files that do not tell their length are read for it, all of them; without this it is indefinite.
    ///
    /// The corresponding key is `AVURLAssetPreferPreciseDurationAndTimingKey`.
    public static let prefersPreciseDuration = Options(rawValue: 1 << 0)
  }

  /// The item: a clip has the times of what it plays.
  public let item: PlaylistItem
  /// Options with which an asset is loaded.
  public let options: Options
  private let headers = Loading<AssetHeaders>()
  private let length = Loading<MediaTime>()

  /// The asset of an item's source.
  public init(_ item: PlaylistItem, options: Options = []) {
    (self.item, self.options) = (item, options)
  }

  /// The asset of the file at `path`, relative to the working directory if not absolute.
  public convenience init(path: String, options: Options = []) {
    self.init(PlaylistItem(path: path), options: options)
  }

  /// Loads a property, and waits for it.
  ///
  /// A property that is loaded is told at once, one that has failed is tried anew. The loading goes on for others where the task is
  /// cancelled. The corresponding call is `AVAsynchronousKeyValueLoading.load(_:)`.
  ///
  /// - Throws: Why the source cannot be opened or read, a `SoundFileError` for a file; `CancellationError` where the
  ///   task or the loading was cancelled.
  public func load<A>(_ property: AudioAssetProperty<A>) async throws -> A {
    try await value(of: property)
  }

  /// Loads two properties, as `load(_:)` does; the source is opened once.
  public func load<A, B>(
    _ a: AudioAssetProperty<A>, _ b: AudioAssetProperty<B>
  ) async throws -> (A, B) {
    (try await value(of: a), try await value(of: b))
  }

  /// Loads three properties, as `load(_:)` does; the source is opened once.
  public func load<A, B, C>(
    _ a: AudioAssetProperty<A>, _ b: AudioAssetProperty<B>, _ c: AudioAssetProperty<C>
  ) async throws -> (A, B, C) {
    (try await value(of: a), try await value(of: b), try await value(of: c))
  }

  private func value<Value>(of property: AudioAssetProperty<Value>) async throws -> Value {
    let item = item
    let found = try await headers.value { work in try AssetHeaders(of: item, for: work) }
    switch property.source {
    case .headers(let value): return value(found)
    case .length(let value): return value(try await duration(found))
    }
  }

  private func duration(_ headers: AssetHeaders) async throws -> MediaTime {
    if let known = headers.duration { return known }
    guard options.contains(.prefersPreciseDuration), headers.search != nil else {
      return .indefinite
    }
    return try await length.value { work in
      while headers.search?.advance() == true { try work.check() }
      return headers.duration ?? .indefinite
    }
  }

  /// Returns the progress of a property's loading.
  ///
  /// The status may be another one in a moment. The corresponding call is `AVAsynchronousKeyValueLoading.status(of:)`.
  public func status<Value>(of property: AudioAssetProperty<Value>) -> AudioAssetStatus<Value> {
    switch (headers.status, property.source) {
    case (.loaded(let found), .headers(let value)): return .loaded(value(found))
    case (.loaded(let found), .length(let value)):
      if let known = found.duration { return .loaded(value(known)) }
      guard options.contains(.prefersPreciseDuration), found.search != nil else {
        return .loaded(value(.indefinite))
      }
      return length.status.map(value)
    case (.notYetLoaded, _): return .notYetLoaded
    case (.loading, _): return .loading
    case (.failed(let error), _): return .failed(error)
    }
  }

  /// Ends what is being loaded: whoever waits gets a `CancellationError`, and what is asked for later is loaded anew.
  ///
  /// The corresponding call is `AVAsset.cancelLoading()`.
  public func cancelLoading() {
    headers.cancel()
    length.cancel()
  }

  /// Reads the bytes of one of the asset's pictures, which are not kept.
  ///
  /// - Parameters:
  ///   - picture: Of those that `load(.pictures)` has told.
  ///   - limit: Bytes that are read, at most.
  /// - Returns: As many as there are: fewer than `Picture.byteCount` where the file ends before.
  /// - Throws: A `SoundFileError`, of kind `unsupported` where the picture is longer, or the source is no file.
  public func bytes(of picture: Picture, atMost limit: Int = 1 << 26) async throws -> [UInt8] {
    let item = item
    return try await Loading<[UInt8]>().value { _ in
      let source = item.source ?? FileSource(path: item.bytePath)
      guard let source = source as? any SoundFileOpening else {
        throw SoundFileError(
          .unsupported, path: item.path, call: "bytes(of:atMost:)", cause: "the source is no file")
      }
      return try source.soundFile(pool: FramePool()).bytes(of: picture, atMost: limit)
    }
  }
}
