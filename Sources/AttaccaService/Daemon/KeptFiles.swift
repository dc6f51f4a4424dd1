// SPDX-License-Identifier: Apache-2.0

import CSQLite
import Dispatch
import Glibc

/// Files of what a service keeps, open; where they cannot be, others in their place, and a notice of that.
///
/// A player in a kitchen plays whatever its disk is like: a database that is damaged is set aside and begun anew, and where
/// the folder cannot be written, all is in a folder of `/tmp` that goes with the service.
struct KeptFiles {
  let folder: String
  let store: StateStore
  let restored: RestoredState
  let stickers: StickerStore
  let library: MusicLibrary?

  private init(
    _ folder: String, _ settings: DaemonSettings, _ queue: DispatchQueue
  ) throws(StoreError) {
    self.folder = folder
    store = try StateStore(path: folder + "/service.sqlite")
    restored = try RestoredState(store, folder: folder)
    stickers = try StickerStore(StateDatabase(path: folder + "/stickers.sqlite"))
    library = try settings.musicFolder.map { root throws(StoreError) in
      try MusicLibrary(root: root, path: folder + "/library.sqlite", queue: queue)
    }
    // A database that is only read is not refused before it is written.
    try StateJournal(folder: folder).begin(at: restored.state.sequence + 1)
  }

  /// Opens the files in the folder of `settings`, which is theirs from now on.
  static func open(
    _ settings: DaemonSettings, queue: DispatchQueue, log: (DaemonNotice) -> Void
  ) throws(StoreError) -> KeptFiles {
    var folder = settings.stateFolder
    var damaged: Set<String> = []
    while true {
      do throws(StoreError) {
        return try KeptFiles(folder, settings, queue)
      } catch {
        if error.isDamage, damaged.insert(error.path).inserted {
          log(DaemonNotice(.error, setAside(error.path)))
        } else if folder == settings.stateFolder, let other = passingFolder() {
          log(DaemonNotice(.error, "\(error); nothing is kept: what would be is in \(other)"))
          folder = other
        } else {
          throw error
        }
      }
    }
  }

  /// Takes a database out of the way, and says what has become of it.
  private static func setAside(_ path: String) -> String {
    for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
    guard !path.hasSuffix("/library.sqlite") else {
      unlink(path)
      return "\(path) was damaged, and is made anew by a scan"
    }
    rename(path, path + ".damaged")
    return "\(path) is damaged, and is \(path).damaged now; another one is begun"
  }

  private static func passingFolder() -> String? {
    var name = Array("/tmp/attacca-XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil else { return nil }
    return name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  /// Takes away a folder that goes with the service.
  static func remove(_ folder: String) {
    guard let stream = opendir(folder) else { return }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      unlink("\(folder)/\(name)")
    }
    closedir(stream)
    rmdir(folder)
  }
}

extension StoreError {
  /// True of a file that is not what it should be.
  fileprivate var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xFF) }
}
