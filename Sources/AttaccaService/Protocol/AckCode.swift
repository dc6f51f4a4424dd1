// SPDX-License-Identifier: Apache-2.0

/// Number of an error, as MPD's protocol has them (`enum ack`).
enum AckCode: Int, Sendable {
  case notList = 1
  case argument = 2
  case password = 3
  case permission = 4
  case unknown = 5
  case noExist = 50
  case playlistMax = 51
  case system = 52
  case playlistLoad = 53
  case updateAlready = 54
  case playerSync = 55
  case exist = 56
}
