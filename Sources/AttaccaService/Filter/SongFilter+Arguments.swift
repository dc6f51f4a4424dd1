// SPDX-License-Identifier: Apache-2.0

extension SongFilter {
  /// The filter of a command's arguments: expressions, or pairs of a type and a value.
  ///
  /// `foldsCase` is for `search` and its relatives, which look for parts of values in pairs.
  init(_ arguments: some Collection<String>, foldsCase: Bool) throws(CommandError) {
    guard !arguments.isEmpty else {
      throw CommandError(.argument, "Incorrect number of filter arguments")
    }
    var filters: [SongFilter] = []
    var rest = Array(arguments)[...]
    while let first = rest.popFirst() {
      if first.first == "(" {
        filters.append(try FilterParser.filter(first, foldsCase: foldsCase))
      } else {
        guard let value = rest.popFirst() else {
          throw CommandError(.argument, "Incorrect number of filter arguments")
        }
        filters.append(try Self.pair(first, value, foldsCase))
      }
    }
    self = filters.count == 1 ? filters[0] : .all(filters)
  }

  private static func pair(
    _ name: String, _ value: String, _ foldsCase: Bool
  ) throws(CommandError) -> SongFilter {
    switch name.lowercased() {
    case "base": return .base(try FilterParser.folder(value))
    case "modified-since": return .modifiedSince(try FilterParser.moment(value))
    default:
      let field: FilteredField
      do throws(CommandError) {
        field = try FilterParser.field(name)
      } catch {
        throw CommandError(.argument, "Unknown filter type")
      }
      return .text(field, foldsCase ? .contains : .equals, value, foldsCase: foldsCase)
    }
  }
}
