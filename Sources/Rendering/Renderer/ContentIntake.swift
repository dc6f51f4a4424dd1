// SPDX-License-Identifier: Apache-2.0

/// Content that is enqueued, and has not all got into the line.
struct ContentIntake {
  /// The enqueued buffers that are not heard yet, where no player enqueues them.
  var unheardBuffers = EnqueuedBuffers()
  /// Buffers that wait in the conversion for room in the line.
  private(set) var pendingBuffers = 0
  /// The conversion was given frames, the last of which its filter may hold back: they are in no line yet.
  private(set) var holdsBack = false
  /// Frames of room that there were when a buffer last found too little.
  private(set) var refusedRoom = 0
  /// Content was discarded by a change of the output: what is enqueued before a flush was meant to
  /// follow it, and is dropped.
  var awaitsFlush = false

  /// True where all that the conversion was given has got into the line.
  var isAllInLine: Bool { pendingBuffers == 0 && !holdsBack }

  /// The conversion is given frames.
  mutating func converts() { holdsBack = true }

  /// The conversion has given all it had.
  mutating func finished() { holdsBack = false }

  /// A buffer found too little room.
  mutating func refused(room: Int) { refusedRoom = room }

  /// So many buffers wait in the conversion now.
  ///
  /// - Returns: whether there may be room for more, where the line has `room`: the last that waited has got in,
  ///   or the next might.
  mutating func setPending(_ count: Int, room: Int) -> Bool {
    let hadSome = pendingBuffers > 0
    pendingBuffers = count
    return count == 0 ? hadSome : room > refusedRoom
  }

  /// Another conversion takes over, in which `pending` buffers wait, and whose filter `holdsBack` frames.
  mutating func replaceConversion(pending: Int = 0, holdsBack: Bool = false) {
    (pendingBuffers, self.holdsBack) = (pending, holdsBack)
  }
}
