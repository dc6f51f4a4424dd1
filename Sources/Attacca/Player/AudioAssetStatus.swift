// SPDX-License-Identifier: Apache-2.0

/// The progress of an asset's property: not asked for, being loaded, loaded, or failed.
///
/// The corresponding type is `AVAsyncProperty.Status`.
public enum AudioAssetStatus<Value: Sendable>: Sendable {
  /// The property has not been asked for, or its loading was cancelled.
  case notYetLoaded
  /// The property is being loaded.
  case loading
  /// The property's value.
  case loaded(Value)
  /// Loading of the property failed, for this reason; who asks again has it tried again.
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
