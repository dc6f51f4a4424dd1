// SPDX-License-Identifier: Apache-2.0

/// The progress of a loading: a pure state machine.
struct LoadingState<Value: Sendable> {
  private enum State {
    case notYetLoaded
    case loading(LoadingWork)
    case loaded(Value)
    case failed(any Error)
  }

  private var state = State.notYetLoaded

  /// The answer to whoever asks for a value.
  enum Answer {
    case value(Value)
    case wait
    /// To wait too, and to have the work done.
    case begin(LoadingWork)
  }

  mutating func request() -> Answer {
    switch state {
    case .loaded(let value): return .value(value)
    case .loading: return .wait
    case .notYetLoaded, .failed:
      let work = LoadingWork()
      state = .loading(work)
      return .begin(work)
    }
  }

  /// - Returns: false, and nothing changed, where the work is not wanted any more.
  mutating func finish(_ work: LoadingWork, _ result: Result<Value, any Error>) -> Bool {
    guard case .loading(let wanted) = state, wanted === work else { return false }
    switch result {
    case .success(let value): state = .loaded(value)
    case .failure(let error): state = .failed(error)
    }
    return true
  }

  /// - Returns: the work to be ended, if there is any.
  mutating func cancel() -> LoadingWork? {
    guard case .loading(let work) = state else { return nil }
    state = .notYetLoaded
    return work
  }

  var status: AudioAssetStatus<Value> {
    switch state {
    case .notYetLoaded: .notYetLoaded
    case .loading: .loading
    case .loaded(let value): .loaded(value)
    case .failed(let error): .failed(error)
    }
  }
}
