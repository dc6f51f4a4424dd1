// SPDX-License-Identifier: Apache-2.0

import Foundation
import SampleBuffers
import SoundFiles
import TestFixtures
import Testing

/// How a file that was written gets its name.
@Suite struct PublishingTests {
  private let folder: TemporaryFolder
  private let path: String
  private static let format = AudioFormat(sampleRate: 48_000, layout: .mono)

  init() throws {
    folder = try TemporaryFolder()
    path = "\(folder.path)/a.wav"
  }

  private func writer(
    _ path: String, overwrite: Bool = false
  ) throws -> SoundFileWriter {
    let writer = try SoundFileWriter(
      path: path, format: Self.format, fileType: WrittenFileType(path: "a.wav"),
      overwrite: overwrite)
    try [Float](repeating: 0.5, count: 100).withUnsafeBufferPointer { try writer.write($0) }
    return writer
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  @Test func `of several that end at once one gets the name, and the others say it is taken`()
    throws
  {
    for round in 0..<200 {
      let path = "\(folder.path)/\(round).wav"
      // Handed over whole, one to each thread.
      nonisolated(unsafe) let writers = try (0..<4).map { _ in try writer(path) }
      nonisolated(unsafe) let errors = UnsafeMutablePointer<SoundFileError?>.allocate(capacity: 4)
      errors.initialize(repeating: nil, count: 4)
      defer { errors.deallocate() }
      DispatchQueue.concurrentPerform(iterations: 4) { i in
        do throws(SoundFileError) { try writers[i].finish() } catch { errors[i] = error }
      }
      let kinds = (0..<4).compactMap { errors[$0]?.kind }
      try #require(kinds == [.exists, .exists, .exists], "round \(round)")
    }
    #expect(try names.count == 200)
  }

  @Test func `a file is on the disk before it has its name`() throws {
    try writer(path).finish()
    let synced = SyncLog.shared.paths(in: folder.path)
    #expect(synced.first?.hasPrefix(path + ".") == true)
    #expect(synced.first?.hasSuffix(".part") == true)
    // And then the name is.
    #expect(synced.dropFirst() == [folder.path])
  }

  @Test(arguments: [true, false])
  func `through a link what it points to is written, and the link stays`(isThere: Bool) throws {
    let target = "\(folder.path)/target.wav"
    if isThere { try writer(target).finish() }
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/link.wav", withDestinationPath: "target.wav")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "link.wav")
    try writer(path, overwrite: isThere).finish()
    #expect(try names == ["a.wav", "link.wav", "target.wav"])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == "link.wav")
    #expect(try SoundFile(path: target, pool: FramePool()).frameCount == 100)
  }

  @Test func `links in a circle are an error`() throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "a.wav")
    let error = #expect(throws: SoundFileError.self) { try writer(path, overwrite: true) }
    #expect(error?.code == ELOOP)
  }

  @Test func `a file that replaces another has its rights`() throws {
    try writer(path).finish()
    chmod(path, 0o640)
    try writer(path, overwrite: true).finish()
    let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(rights as? Int == 0o640)
  }

  @Test(arguments: ["x", "é", "🎵"])
  func `a name as long as names can be is written`(letter: String) throws {
    let name = String(repeating: letter, count: 251 / letter.utf8.count) + ".wav"
    let path = "\(folder.path)/\(name)"
    let growing = try writer(path)
    let temporary = try #require(try names.first)
    #expect(temporary.hasSuffix(".part") && temporary.utf8.count <= 255)
    try growing.finish()
    #expect(try names == [name])
  }

  @Test func `a path as long as paths can be is written`() throws {
    var place = folder.path
    let part = "/" + String(repeating: "d", count: 200)
    while place.utf8.count + part.utf8.count < 4_000 { place += part }
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    place += "/" + String(repeating: "x", count: 4_095 - 1 - place.utf8.count - 4) + ".wav"
    try writer(place).finish()
    #expect(try SoundFile(path: place, pool: FramePool()).frameCount == 100)
  }

  @Test func `a file that is taken away while it grows never has its name`() throws {
    let growing = try writer(path)
    growing.partialFile.remove()
    #expect(try names.isEmpty)
    let error = #expect(throws: SoundFileError.self) { try growing.finish() }
    #expect(error?.kind == .unwritable)
    #expect(try names.isEmpty)
  }
}
