// SPDX-License-Identifier: Apache-2.0

import Attacca
import Dispatch
@testable import Rendering
import Testing

@Suite struct MediaDataRequestTests {
  private let call = MediaDataRequestTests.call()

  private static func call() -> any DispatchSourceUserDataAdd {
    let call = DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "request"))
    call.activate()
    return call
  }

  @Test func `no one is called before a request and after its end`() {
    var request = MediaDataRequest()
    #expect(request.ready(enqueued: 0) == false)
    request.begin(through: call)
    request.end()
    #expect(request.ready(enqueued: 0) == false)
  }

  @Test func `a call is not made while one is under way`() {
    var request = MediaDataRequest()
    let number = request.begin(through: call)
    #expect(request.ready(enqueued: 0) == true)
    #expect(request.ready(enqueued: 0) == false)
    #expect(request.ready(enqueued: 3) == false)
    let again = request.returned(number: number, enqueued: 3)
    #expect(again)
    #expect(request.ready(enqueued: 3) == true)
  }

  @Test func `a block that enqueued nothing is not called again by itself`() {
    var request = MediaDataRequest()
    let number = request.begin(through: call)
    #expect(request.ready(enqueued: 5) == true)
    let again = request.returned(number: number, enqueued: 5)
    #expect(!again)
    // When readiness comes anew it is.
    #expect(request.ready(enqueued: 5) == true)
  }

  @Test func `a replaced request's return does not touch the one in its place`() {
    var request = MediaDataRequest()
    let old = request.begin(through: call)
    #expect(request.ready(enqueued: 0) == true)
    let new = request.begin(through: Self.call())
    #expect(request.ready(enqueued: 0) == true)
    let again = request.returned(number: old, enqueued: 9)
    #expect(!again)
    #expect(request.ready(enqueued: 9) == false)
    let newAgain = request.returned(number: new, enqueued: 9)
    #expect(newAgain)
  }
}
