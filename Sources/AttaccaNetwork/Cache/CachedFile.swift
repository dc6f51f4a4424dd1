// SPDX-License-Identifier: Apache-2.0

/// An address in a cache: the entry of earlier runs, and the one for what this run loads.
///
/// It belongs to one download, which calls it under its semaphore or from its initialiser.
final class CachedFile: @unchecked Sendable {
  // @unchecked: `present` is touched only between wait and signal of the download's semaphore.
  private let folder: CacheFolder
  private let name: String
  private let address: String
  /// The entry of an earlier run.
  private let old: CacheEntry?
  private var present: CacheEntry?

  /// The place for `address` in `cache`; nil where nothing can be kept.
  init?(_ address: NetworkAddress, _ options: HTTPOptions, in cache: HTTPCache) {
    folder = CacheFolder(cache)
    guard let name = folder.name(of: address, options) else { return nil }
    (self.name, self.address) = (name, address.text)
    old = CacheEntry.open(name, in: folder)
  }

  /// Tag or date of what is kept; nil where nothing is.
  var validator: String? { old?.head.validator }

  /// True where all of it is kept.
  var isWhole: Bool { old.map { $0.loaded.run(from: 0) >= $0.head.total } ?? false }

  /// The entry of an earlier run, where the server has no other file.
  func confirm() -> CacheEntry? {
    present = old
    return old
  }

  /// The entry for what a server has answered first, as `state` says; nil where that is not kept.
  func entry(for head: ResponseHead, _ state: FetchState) -> CacheEntry? {
    guard !state.isLive, !head.isNotToBeKept, head.type?.contains("mpegurl") != true,
      let total = state.total, total > 0, let validator = state.validator
    else { return nil }
    if let old, old.head.validator == validator, old.head.total == total { return confirm() }
    present = CacheEntry.create(
      name,
      CacheEntry.Head(
        total: total, validator: validator, hasRanges: state.hasRanges, type: head.type,
        address: address), in: folder)
    return present
  }

  /// The block of the entry that byte `offset` is in.
  func blockRange(at offset: Int64) -> Range<Int64>? { present?.blockRange(at: offset) }
}

extension ResponseHead {
  /// The head of the answer that an entry was made for.
  init(of kept: CacheEntry.Head) {
    status = 200
    (length, validator, type, acceptsRanges) = (
      kept.total, kept.validator, kept.type, kept.hasRanges
    )
  }
}
