// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Rendering
import SoundFiles

/// Opens the files of the items that follow, long before they are read.
///
/// Files are opened one after the other, on a thread that ends with the last of them. A file that is
/// slow holds up those behind it, and nothing that plays. All members are thread-safe.
final class OpeningAhead: @unchecked Sendable {
  /// Items whose files are open besides the one that is decoded.
  static let count = 2

  private final class File: @unchecked Sendable {
    // @unchecked: what changes is touched only between wait and signal of the owner's semaphore.
    enum State {
      case waiting, opening
      /// nil where opening failed: whoever reads it tries again, and tells the error.
      case done((any FrameSource)?)
    }

    let item: PlaylistItem
    /// Source that is being opened.
    var source: (any FrameSource)?
    var state = State.waiting
    /// True from the moment on when nobody wants it opened any more.
    var isUnwanted = false
    /// Signalled once for the one who has taken a file that was being opened.
    let isDone = DispatchSemaphore(value: 0)

    init(_ item: PlaylistItem) { self.item = item }
  }

  // @unchecked: everything mutable is touched only between wait and signal of `semaphore`.
  private let semaphore = OwnedSemaphore()
  private let open: DecoderWatchdog.Opener
  /// In the order in which they will be read.
  private var files: [File] = []
  /// The file that the present thread opens; nil where there is no thread.
  private var opening: File?
  /// Threads that open a file nobody wants any more.
  private var left = 0

  init(open: @escaping DecoderWatchdog.Opener) { self.open = open }

  /// Opens the files of `items`, first things first, and closes all others.
  func prepare(_ items: [PlaylistItem]) {
    let (dropped, unwanted) = semaphore.withLock {
      let old = files
      files = items.map { item in old.first { $0.item == item } ?? File(item) }
      start()
      let unwanted = old.filter { old in !items.contains(old.item) }
      for file in unwanted { file.isUnwanted = true }
      // A source that is copied while another thread sets it is not retained, and let go of twice.
      return (old, unwanted.compactMap(\.source))
    }
    for source in unwanted { source.cancel() }
    // Closing a file may take its time.
    withExtendedLifetime(dropped) {}
  }

  /// A source of its own for `item`, open; on a thread that may wait.
  func another(_ item: PlaylistItem) throws -> any FrameSource {
    let source = try open(item)
    try source.open()
    return source
  }

  /// The outcome of a wait for a file.
  enum Taking {
    /// Opening it takes longer; it stays here.
    case late
    /// nil where that failed.
    case done((any FrameSource)?)
  }

  /// The open file of an item, which is opened if need be and waited for so many nanoseconds; on a decoder thread.
  func take(_ item: PlaylistItem, within nanoseconds: Int) -> Taking {
    let deadline = DispatchTime.now() + .nanoseconds(nanoseconds)
    while true {
      guard let file = semaphore.withLock({ begin(item) }),
        file.isDone.wait(timeout: deadline) == .success
      else { return .late }
      // Another thread may have taken it meanwhile, and waits too.
      file.isDone.signal()
      let taking: Taking? = semaphore.withLock {
        guard let place = files.firstIndex(where: { $0 === file }) else { return nil }
        files.remove(at: place)
        if case .done(let source) = file.state { return .done(source) }
        return nil
      }
      if let taking { return taking }
    }
  }

  /// The file of an item, which is being opened from now on at the latest; with the semaphore held.
  ///
  /// - Returns: nil where too many files hang.
  private func begin(_ item: PlaylistItem) -> File? {
    semaphore.assertHeld()
    let known = files.first { $0.item == item }
    if let known {
      if case .waiting = known.state {} else { return known }
    }
    if opening != nil {
      guard left < DecoderWatchdog.abandonedLimit else { return nil }
      left += 1
    }
    let file = known ?? File(item)
    if known == nil { files.insert(file, at: 0) }
    if opening == nil { opening = file }
    file.state = .opening
    NamedThread.start("attacca-open", stackSize: 1 << 20) { [self] in run(file) }
    return file
  }

  /// The open file of an item, which is waited for while it is being opened; on a decoder thread.
  ///
  /// - Returns: nil where nobody has begun to open it, or where that failed.
  func take(_ item: PlaylistItem) -> (any FrameSource)? {
    let (file, isAwaited) = semaphore.withLock {
      guard let place = files.firstIndex(where: { $0.item == item }) else {
        return (nil as File?, false)
      }
      let file = files.remove(at: place)
      if case .opening = file.state { return (file, true) }
      return (file, false)
    }
    guard let file else { return nil }
    if isAwaited {
      file.isDone.wait()
      // Another thread may wait for it, too, and looks again: without this an item's end waited for 2 s, and went
      // without its overlap.
      file.isDone.signal()
    }
    return semaphore.withLock {
      if case .done(let source) = file.state { source } else { nil }
    }
  }

  /// Has a thread open the next file, unless one does, or too many hang; with the semaphore held.
  private func start() {
    semaphore.assertHeld()
    if let opening {
      // What is being opened is wanted, or hangs.
      guard !files.contains(where: { $0 === opening }), !files.isEmpty,
        left < DecoderWatchdog.abandonedLimit
      else { return }
      left += 1
      self.opening = nil
    }
    guard let file = nextFile else { return }
    opening = file
    file.state = .opening
    NamedThread.start("attacca-open", stackSize: 1 << 20) { [self] in run(file) }
  }

  private var nextFile: File? {
    files.first { if case .waiting = $0.state { true } else { false } }
  }

  private func run(_ first: File) {
    var file: File? = first
    while let present = file {
      let source: (any FrameSource)?
      do {
        let made = try open(present.item)
        let isUnwanted = semaphore.withLock {
          present.source = made
          return present.isUnwanted
        }
        if !isUnwanted { try made.open() }
        source = made
      } catch {
        source = nil
      }
      file = semaphore.withLock { finish(present, source) }
    }
  }

  /// - Returns: the file to be opened next by the same thread.
  private func finish(_ file: File, _ source: (any FrameSource)?) -> File? {
    semaphore.assertHeld()
    (file.state, file.source) = (.done(source), nil)
    file.isDone.signal()
    guard opening === file else {
      left -= 1
      return nil
    }
    opening = nextFile
    opening?.state = .opening
    return opening
  }
}
