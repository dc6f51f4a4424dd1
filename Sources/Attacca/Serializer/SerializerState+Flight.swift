// SPDX-License-Identifier: Apache-2.0

extension SerializerState {
  /// The way of a splice to the renderer and back.
  enum Flight {
    /// None is on its way.
    case grounded
    /// The renderer has been given one, and has not answered for it.
    case splicing(PreparedSplice, then: FollowUp)
    /// The renderer has answered, and what that means is being carried out.
    case landing(then: FollowUp)

    /// Work to be done behind the splice; none, and none can be asked for, where no splice is on its way.
    var then: FollowUp {
      get {
        switch self {
        case .grounded: FollowUp()
        case .splicing(_, let then), .landing(let then): then
        }
      }
      set {
        switch self {
        case .grounded: break
        case .splicing(let splice, _): self = .splicing(splice, then: newValue)
        case .landing: self = .landing(then: newValue)
        }
      }
    }
  }
}
