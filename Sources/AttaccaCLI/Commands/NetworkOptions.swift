// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Attacca
import AttaccaNetwork

/// Options for what is asked of servers: who asks, what is said besides, and how long is waited.
struct NetworkOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A field that requests have besides, as in 'X-Api-Key: 1'; may be repeated.",
      valueName: "name: value"), transform: Self.header)
  var header: [HTTPOptions.Header] = []

  @Option(
    help: ArgumentHelp(
      "Cookies for the servers that are named on the command line, as in 'a=1; b=2'.",
      valueName: "cookies"), transform: Self.line("--cookie"))
  var cookie: String?

  @Option(
    help: ArgumentHelp(
      "A name and a password for the servers that are named on the command line.",
      valueName: "name:password"), transform: Self.line("--user"))
  var user: String?

  @Option(
    help: ArgumentHelp(
      "A bearer token for the servers that are named on the command line.", valueName: "token"),
    transform: Self.line("--token"))
  var token: String?

  @Option(
    help: ArgumentHelp(
      "Certificates in PEM of who vouches for servers, in the place of the system's.",
      valueName: "file"))
  var caCertificate: String?

  @Option(
    help: ArgumentHelp(
      "How long a connection may take to be made, as in 5s [10s].", valueName: "time"),
    transform: Self.milliseconds("--connect-limit"))
  var connectLimit: Int?

  @Option(
    help: ArgumentHelp(
      "How long no byte may come before a connection is taken for broken [15s].", valueName: "time"),
    transform: Self.milliseconds("--silence-limit"))
  var silenceLimit: Int?

  @Option(
    help: ArgumentHelp(
      "How long it is tried to go on after a connection broke [1m].", valueName: "time"),
    transform: Self.milliseconds("--retry-limit"))
  var retryLimit: Int?

  @OptionGroup var cache: CacheOptions

  func validate() throws {
    if user != nil, token != nil {
      throw ValidationError("--user and --token are two proofs of one caller: one of them.")
    }
  }

  /// The options as the library has them; `policy` is that of a broadcast that is paused.
  func options(_ policy: HTTPOptions.LivePolicy = .holds) -> HTTPOptions {
    var options = HTTPOptions()
    (options.headers, options.cookies, options.authorityFile) = (header, cookie, caCertificate)
    if let user {
      let name = user.prefix { $0 != ":" }
      options.authorization = .basic(
        user: String(name), password: String(user.dropFirst(name.count + 1)))
    } else if let token {
      options.authorization = .bearer(token)
    }
    if let connectLimit { options.connectionLimit = connectLimit }
    if let silenceLimit { options.silenceLimit = silenceLimit }
    if let retryLimit { options.retryLimit = retryLimit }
    options.cache = cache.asked
    options.livePolicy = policy
    return options
  }

  @Sendable private static func header(_ text: String) throws -> HTTPOptions.Header {
    let line = try line("--header")(text)
    let name = line.prefix { $0 != ":" }
    guard !name.isEmpty, name.count < line.count, !name.contains(" ") else {
      throw ValidationError("--header is a name and a value, as in 'X-Api-Key: 1', not '\(text)'.")
    }
    let value = line.dropFirst(name.count + 1).drop { $0 == " " }
    return HTTPOptions.Header(String(name), String(value))
  }

  /// What is said to a server is one line: another would be a field that nobody meant.
  private static func line(_ option: String) -> @Sendable (String) throws -> String {
    { text in
      guard !text.contains(where: \.isNewline) else {
        throw ValidationError("\(option) is one line.")
      }
      return text
    }
  }

  private static func milliseconds(_ option: String) -> @Sendable (String) throws -> Int {
    { text in
      guard let time = SleepText.time(text), time.seconds >= 0.001, time.seconds <= 86_400 else {
        throw ValidationError(
          "\(option) is a time as in 5s, 2m or 1h, a day at most, not '\(text)'.")
      }
      return Int(time.seconds * 1_000)
    }
  }
}
