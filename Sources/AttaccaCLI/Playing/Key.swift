// SPDX-License-Identifier: Apache-2.0

/// The command that a key stands for.
enum Key: Hashable {
  case togglePause, next, previous, back, forward, louder, quieter, faster, slower, naturalSpeed,
    turn, sleep, tenth(Int), nextChapter, previousChapter, loopChapter, help, quit

  /// The keys, for people, in lines.
  static let overview = """
    space        pause and go on
    n, p         next and previous item
    {, }         previous and next chapter
    l            the chapter over and over; again: on behind it
    left, right  10 s back and on
    up, down     louder and quieter, + and - too
    [, ]         slower and faster; backspace: at the natural speed
    0 to 9       tenths of the whole, with --book
    r            turn round
    z            sleep timer: behind the chapter, the item, in 15, 30, 60 min, none
    ?            these keys
    q            quit

    """
}
