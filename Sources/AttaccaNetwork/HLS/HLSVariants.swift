// SPDX-License-Identifier: Apache-2.0

/// The variants of a stream: where their lists are, which is loaded, and which is to be.
struct HLSVariants {
  /// Addresses of the lists, in the order of their bandwidths; none where the stream is one list.
  private(set) var addresses: [NetworkAddress] = []
  /// Choice of the one to be loaded.
  var choice = VariantChoice([])
  /// Index of the one whose list is loaded.
  private(set) var index = 0

  init() {}

  /// Variants with an address and bits a second each, of which there is one at least.
  init(_ variants: [(bandwidth: Int, address: NetworkAddress)]) {
    addresses = variants.map(\.address)
    choice = VariantChoice(variants.map(\.bandwidth))
    index = choice.index
  }

  /// Address of the list that is loaded; nil where the stream is one list.
  var address: NetworkAddress? { addresses.isEmpty ? nil : addresses[index] }

  /// True where another one is to be loaded.
  var isToChange: Bool { choice.index != index && !addresses.isEmpty }

  /// Loads the chosen one from now on.
  mutating func follow() { index = choice.index }

  /// Stays with variant `index`.
  mutating func stay(with index: Int) { self.index = index }
}
