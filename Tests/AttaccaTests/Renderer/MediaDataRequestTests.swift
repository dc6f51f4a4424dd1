// SPDX-License-Identifier: Apache-2.0

@testable import Attacca
import Dispatch
import Testing

@Suite struct MediaDataRequestTests {
  private let queue = DispatchQueue(label: "request")

  @Test func `no one is called before a request and after its end`() {
    var request = MediaDataRequest()
    #expect((request.ready(enqueued: 0)?.number ?? -1) == -1)
    request.begin(on: queue) {}
    request.end()
    #expect((request.ready(enqueued: 0)?.number ?? -1) == -1)
  }

  @Test func `a call is not made while one is under way`() {
    var request = MediaDataRequest()
    request.begin(on: queue) {}
    let call = request.ready(enqueued: 0)?.number
    #expect((request.ready(enqueued: 0)?.number ?? -1) == -1)
    #expect((request.ready(enqueued: 3)?.number ?? -1) == -1)
    let again = request.returned(number: call ?? -1, enqueued: 3)
    #expect(again)
    #expect((request.ready(enqueued: 3)?.number ?? -1) > 0)
  }

  @Test func `a block that enqueued nothing is not called again by itself`() {
    var request = MediaDataRequest()
    request.begin(on: queue) {}
    let call = request.ready(enqueued: 5)?.number
    let again = request.returned(number: call ?? -1, enqueued: 5)
    #expect(!again)
    // When readiness comes anew it is.
    #expect((request.ready(enqueued: 5)?.number ?? -1) > 0)
  }

  @Test func `a replaced request's return does not touch the one in its place`() {
    var request = MediaDataRequest()
    request.begin(on: queue) {}
    let old = request.ready(enqueued: 0)?.number
    request.begin(on: queue) {}
    let new = request.ready(enqueued: 0)?.number
    let again = request.returned(number: old ?? -1, enqueued: 9)
    #expect(!again)
    #expect((request.ready(enqueued: 9)?.number ?? -1) == -1)
    let newAgain = request.returned(number: new ?? -1, enqueued: 9)
    #expect(newAgain)
  }
}
