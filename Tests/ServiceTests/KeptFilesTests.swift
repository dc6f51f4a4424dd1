// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
import Foundation
import TestFixtures
import Testing

@testable import AttaccaService

/// Files of what is kept that are not as they should be.
struct KeptFilesTests {
  private func settings(_ folder: TemporaryFolder, state: String) throws -> DaemonSettings {
    try ServedHere.makeSong(folder, "1.wav")
    return DaemonSettings(
      musicFolder: folder.path + "/music", playlistFolder: folder.path + "/lists",
      stateFolder: state)
  }

  private func open(_ settings: DaemonSettings) throws -> (files: KeptFiles, notices: [String]) {
    var notices: [String] = []
    let queue = DispatchQueue(label: "test.files")
    let files = try KeptFiles.open(settings, queue: queue) { notices.append($0.text) }
    return (files, notices)
  }

  @Test(arguments: ["service", "stickers", "library"])
  func `a database that is damaged is set aside, and the service begins`(name: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/\(name).sqlite"
    _ = try folder.file("\(name).sqlite", Array(repeating: 0x61, count: 8_192))
    let (files, notices) = try open(settings(folder, state: folder.path))
    #expect(files.folder == folder.path)
    #expect(notices.count == 1)
    #expect(notices.first?.hasPrefix(path) == true)
    #expect(FileManager.default.fileExists(atPath: path))
    let isSetAside = FileManager.default.fileExists(atPath: path + ".damaged")
    #expect(isSetAside == (name != "library"))
    #expect(try open(settings(folder, state: folder.path)).notices == [])
  }

  @Test func `a folder that cannot be written is stood in for, and the service begins`() throws {
    let folder = try TemporaryFolder()
    // In which not even root makes a file.
    let (files, notices) = try open(settings(folder, state: "/proc/self/fdinfo"))
    #expect(files.folder.hasPrefix("/tmp/attacca-"))
    #expect(notices.count == 1)
    #expect(notices.first?.contains("nothing is kept") == true)
    try files.store.write(SavedState())
    KeptFiles.remove(files.folder)
    #expect(!FileManager.default.fileExists(atPath: files.folder))
  }
}
