// SPDX-License-Identifier: Apache-2.0

public import MediaTime
public import SampleBuffers
public import SoundFiles

/// Something that `AudioAsset.load` loads.
///
/// The corresponding class is `AVAsyncProperty`.
public struct AudioAssetProperty<Value: Sendable>: Sendable {
  enum Source: Sendable {
    case headers(@Sendable (AssetHeaders) -> Value)
    case length(@Sendable (MediaTime) -> Value)
  }

  let source: Source
}

extension AudioAssetProperty where Value == MediaTime {
  /// The exact length; indefinite where the source does not tell it, unless a precise one is preferred.
  public static var duration: Self { Self(source: .length { $0 }) }
}

extension AudioAssetProperty where Value == Tags {
  /// Title and the like: the item's own tags, where it has some.
  public static var tags: Self { Self(source: .headers { $0.tags }) }
}

extension AudioAssetProperty where Value == [Chapter] {
  /// The chapters, by the item's time.
  public static var chapters: Self { Self(source: .headers { $0.chapters }) }
}

extension AudioAssetProperty where Value == [Picture] {
  /// Cover and other pictures, without their bytes.
  public static var pictures: Self { Self(source: .headers { $0.pictures }) }
}

extension AudioAssetProperty where Value == AudioFormat {
  /// Rate and speakers of the first frames.
  public static var format: Self { Self(source: .headers { $0.format }) }
}
