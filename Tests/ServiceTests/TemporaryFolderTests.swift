// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import SampleBuffers
import TestFixtures
import Testing

@Suite struct TemporaryFolderTests {
  @Test func `a folder goes while a thread that ends makes and removes a file in it`() throws {
    for _ in 0..<100 {
      var folder: TemporaryFolder? = try TemporaryFolder()
      let path = folder!.path
      let (hasBegun, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      NamedThread.start("files", stackSize: 1 << 18) {
        for i in 0..<1_000 {
          let file = open("\(path)/state.sqlite-wal", O_CREAT | O_WRONLY, 0o600)
          if i == 0 { hasBegun.signal() }
          guard file >= 0 else { break }
          close(file)
          unlink("\(path)/state.sqlite-wal")
        }
        hasEnded.signal()
      }
      hasBegun.wait()
      folder = nil
      hasEnded.wait()
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }
}
