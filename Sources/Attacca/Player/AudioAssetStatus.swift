// SPDX-License-Identifier: Apache-2.0

/// How far a property of an asset is.
///
/// The corresponding type is `AVAsyncProperty.Status`.
public enum AudioAssetStatus<Value: Sendable>: Sendable {
  /// Nobody has asked for it, or what was asked for was cancelled.
  case notYetLoaded
  /// It is being loaded.
  case loading
  /// It is there.
  case loaded(Value)
  /// It could not be loaded; who asks again has it tried again.
  case failed(any Error)

  func map<Other: Sendable>(_ transform: (Value) -> Other) -> AudioAssetStatus<Other> {
    switch self {
    case .notYetLoaded: .notYetLoaded
    case .loading: .loading
    case .loaded(let value): .loaded(transform(value))
    case .failed(let error): .failed(error)
    }
  }
}
