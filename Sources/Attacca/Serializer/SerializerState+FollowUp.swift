// SPDX-License-Identifier: Apache-2.0

extension SerializerState {
  /// Changes that have to wait until the splice under way has arrived.
  struct FollowUp: Hashable {
    /// True where the order has changed meanwhile.
    var follows = false
    /// True where content that is not heard yet is to be read again.
    var readsAgain = false
  }
}
