// SPDX-License-Identifier: Apache-2.0

extension PulseDeviceStateTests {
  /// The first row is the state, the others are what each event returns, and the state that it leads to.
  static let table: [Situation: String] = [
    .absent: """
    absent, stopped
    start: begin -> absent, due
    stop:
    drain:
    endUnheard:
    stopNow:
    uncorked:
    suspended: begins -> absent, stopped, suspended
    unsuspended:
    mutes: hold -> absent, stopped, muted
    unmutes:
    rewind:
    missed:
    answer:
    noAnswer:
    goOn:
    handOver:
    handoverLost:
    left:
    lost:
    adopted: -> held, stopped
    adoptedOther: -> held, stopped
    adoptedMuted: begins policy -> held, stopped, muted
    closed:
    """,
    .absentWanted: """
    absent, due
    start:
    stop: end unheard -> absent, due to 90
    drain: end unheard -> absent, due to 90
    endUnheard:
    stopNow: -> absent, stopped
    uncorked:
    suspended: begins -> absent, due, suspended
    unsuspended:
    mutes: hold -> absent, due, muted
    unmutes:
    rewind:
    missed:
    answer:
    noAnswer:
    goOn:
    handOver:
    handoverLost:
    left:
    lost:
    adopted: runs -> held, due
    adoptedOther: -> held, stopped
    adoptedMuted: begins policy -> held, withheld, muted
    closed:
    """,
    .corked: """
    held, stopped
    start: begin, learn clock -> held, due
    stop:
    drain:
    endUnheard:
    stopNow:
    uncorked:
    suspended: begins -> held, stopped, suspended
    unsuspended:
    mutes: hold -> held, stopped, muted
    unmutes:
    rewind:
    missed:
    answer:
    noAnswer:
    goOn:
    handOver: -> handing over, stopped
    handoverLost:
    left: -> absent, stopped
    lost: -> absent, stopped
    adopted:
    adoptedOther:
    adoptedMuted: begins policy -> held, stopped, muted
    closed: -> absent, stopped
    """,
    .uncorkDue: """
    held, due
    start:
    stop: await end -> held, due to 90
    drain: await end -> held, due to 90
    endUnheard:
    stopNow: -> held, stopped
    uncorked: -> held, running since 7
    suspended: begins -> held, due, suspended
    unsuspended:
    mutes: hold -> held, withheld, muted
    unmutes:
    rewind: cork, deepen -> again from 5 in 2, due
    missed:
    answer:
    noAnswer:
    goOn: runs
    handOver: -> handing over, due
    handoverLost:
    left: -> absent, due
    lost: -> absent, due
    adopted: runs
    adoptedOther: -> held, stopped
    adoptedMuted: begins policy -> held, withheld, muted
    closed: -> absent, due
    """,
    .uncorkDueEnding: """
    held, due to 90
    start: go on -> held, due
    stop: await end
    drain: await end
    endUnheard: ended at 90 -> held, stopped
    stopNow: -> held, stopped
    uncorked: -> held, running since 7 to 90
    suspended: begins, end unheard -> held, due to 90, suspended
    unsuspended:
    mutes: hold -> held, withheld to 90, muted
    unmutes:
    rewind: cork, deepen -> again from 5 in 2, due to 90
    missed:
    answer:
    noAnswer:
    goOn: runs
    handOver: -> handing over, due to 90
    handoverLost:
    left: -> absent, due to 90
    lost: -> absent, due to 90
    adopted: runs
    adoptedOther: -> held, stopped
    adoptedMuted: begins policy -> held, withheld to 90, muted
    closed: -> absent, due to 90
    """,
    .running: """
    held, running since 7
    start:
    stop: await end -> held, running since 7 to 90
    drain: await end -> held, running since 7 to 90
    endUnheard:
    stopNow: -> held, stopped
    uncorked:
    suspended: begins -> held, running since 7, suspended
    unsuspended:
    mutes: hold -> held, running since 7, muted
    unmutes:
    rewind: cork, deepen -> again from 5 in 2, running
    missed:
    answer:
    noAnswer:
    goOn: runs -> held, due
    handOver: -> handing over, running since 7
    handoverLost:
    left: -> absent, due
    lost: -> absent, due
    adopted: runs -> held, due
    adoptedOther: -> held, stopped
    adoptedMuted: begins policy -> held, withheld, muted
    closed: -> absent, due
    """,
    .ending: """
    held, running since 7 to 90
    start: go on -> held, running since 7
    stop: await end
    drain: await end
    endUnheard: ended at 90 -> held, stopped
    stopNow: -> held, stopped
    uncorked:
    suspended: begins, end unheard -> held, running since 7 to 90, suspended
    unsuspended:
    mutes: hold -> held, running since 7 to 90, muted
    unmutes:
    rewind: cork, deepen -> again from 5 in 2, running to 90
    missed:
    answer:
    noAnswer:
    goOn: runs -> held, due to 90
    handOver: -> handing over, running since 7 to 90
    handoverLost:
    left: -> absent, due to 90
    lost: -> absent, due to 90
    adopted: runs -> held, due to 90
    adoptedOther: -> held, stopped
    adoptedMuted: begins policy -> held, withheld to 90, muted
    closed: -> absent, due to 90
    """,
    .suspended: """
    held, running since 7, suspended
    start:
    stop: end unheard -> held, running since 7 to 90, suspended
    drain: -> held, running since 7 to 90, suspended
    endUnheard:
    stopNow: -> held, stopped, suspended
    uncorked:
    suspended:
    unsuspended: ends, learn clock -> held, running since 7
    mutes: hold -> held, running since 7, suspended, muted
    unmutes:
    rewind: cork, deepen -> again from 5 in 2, running, suspended
    missed:
    answer:
    noAnswer:
    goOn: runs -> held, due, suspended
    handOver: -> handing over, running since 7, suspended
    handoverLost:
    left: -> absent, due, suspended
    lost: ends suspension -> absent, due
    adopted: runs, ends suspension -> held, due
    adoptedOther: ends suspension -> held, stopped
    adoptedMuted: ends suspension, begins policy -> held, withheld, muted
    closed: -> absent, due, suspended
    """,
    .muted: """
    held, withheld, muted
    start:
    stop: end unheard -> held, withheld to 90, muted
    drain: -> held, withheld to 90, muted
    endUnheard:
    stopNow: -> held, stopped, muted
    uncorked: -> held, running since 7, muted
    suspended: begins -> held, withheld, suspended, muted
    unsuspended:
    mutes:
    unmutes: ends, go on -> held, due
    rewind: cork -> again from 5 in 2, withheld, muted
    missed:
    answer:
    noAnswer:
    goOn:
    handOver: -> handing over, withheld, muted
    handoverLost:
    left: -> absent, due, muted
    lost: ends policy -> absent, due
    adopted: runs, ends policy -> held, due
    adoptedOther: ends policy -> held, stopped
    adoptedMuted:
    closed: -> absent, due, muted
    """,
    .mutedPlaying: """
    held, running since 7, muted
    start:
    stop: end unheard -> held, running since 7 to 90, muted
    drain: await end -> held, running since 7 to 90, muted
    endUnheard:
    stopNow: -> held, stopped, muted
    uncorked:
    suspended: begins -> held, running since 7, suspended, muted
    unsuspended:
    mutes:
    unmutes: ends -> held, running since 7
    rewind: cork -> again from 5 in 2, running, muted
    missed:
    answer:
    noAnswer:
    goOn: -> held, withheld, muted
    handOver: -> handing over, running since 7, muted
    handoverLost:
    left: -> absent, due, muted
    lost: ends policy -> absent, due
    adopted: runs, ends policy -> held, due
    adoptedOther: ends policy -> held, stopped
    adoptedMuted: -> held, withheld, muted
    closed: -> absent, due, muted
    """,
    .rewinding: """
    again from 5 in 2, running
    start:
    stop: end unheard -> again from 5 in 2, running to 90
    drain: end unheard -> again from 5 in 2, running to 90
    endUnheard:
    stopNow: -> again from 5 in 2, stopped
    uncorked:
    suspended: begins -> again from 5 in 2, running, suspended
    unsuspended:
    mutes: hold -> again from 5 in 2, running, muted
    unmutes:
    rewind:
    missed: -> again from 3 in 2, running
    answer: ask again -> again from 5 in 1, running
    noAnswer: again from 5 -> held, running
    goOn:
    handOver: -> handing over, again from 5 in 2, running
    handoverLost:
    left: again from 5 -> absent, due
    lost: again from 5 -> absent, due
    adopted: runs -> held, due
    adoptedOther: -> held, stopped
    adoptedMuted: begins policy -> held, withheld, muted
    closed: -> absent, due
    """,
    .handingOver: """
    handing over, running since 7
    start:
    stop: end unheard -> handing over, running since 7 to 90
    drain: end unheard -> handing over, running since 7 to 90
    endUnheard:
    stopNow: -> handing over, stopped
    uncorked:
    suspended: begins -> handing over, running since 7, suspended
    unsuspended:
    mutes: hold -> handing over, running since 7, muted
    unmutes:
    rewind:
    missed: -> handing over, again from 3 in 2, running since 7
    answer:
    noAnswer:
    goOn:
    handOver:
    handoverLost: go back, deepen -> again from here in 2, running
    left: -> absent, due
    lost: -> absent, due
    adopted: runs -> held, due
    adoptedOther: -> held, stopped
    adoptedMuted: begins policy -> held, withheld, muted
    closed: -> absent, due
    """,
    .handingOverMuted: """
    handing over, running since 7, muted
    start:
    stop: end unheard -> handing over, running since 7 to 90, muted
    drain: end unheard -> handing over, running since 7 to 90, muted
    endUnheard:
    stopNow: -> handing over, stopped, muted
    uncorked:
    suspended: begins -> handing over, running since 7, suspended, muted
    unsuspended:
    mutes:
    unmutes: ends -> handing over, running since 7
    rewind:
    missed: -> handing over, again from 3 in 2, running since 7, muted
    answer:
    noAnswer:
    goOn:
    handOver:
    handoverLost: go back -> again from here in 2, running, muted
    left: -> absent, due, muted
    lost: ends policy -> absent, due
    adopted: runs, ends policy -> held, due
    adoptedOther: ends policy -> held, stopped
    adoptedMuted: -> held, withheld, muted
    closed: -> absent, due, muted
    """,
    .handingOverCorked: """
    handing over, stopped
    start: begin -> handing over, due
    stop:
    drain:
    endUnheard:
    stopNow:
    uncorked:
    suspended: begins -> handing over, stopped, suspended
    unsuspended:
    mutes: hold -> handing over, stopped, muted
    unmutes:
    rewind:
    missed:
    answer:
    noAnswer:
    goOn:
    handOver:
    handoverLost: stay -> held, stopped
    left: -> absent, stopped
    lost: -> absent, stopped
    adopted: -> held, stopped
    adoptedOther: -> held, stopped
    adoptedMuted: begins policy -> held, stopped, muted
    closed: -> absent, stopped
    """,
    .handingOverRewinding: """
    handing over, again from 5 in 2, running
    start:
    stop: end unheard -> handing over, again from 5 in 2, running to 90
    drain: end unheard -> handing over, again from 5 in 2, running to 90
    endUnheard:
    stopNow: -> handing over, again from 5 in 2, stopped
    uncorked:
    suspended: begins -> handing over, again from 5 in 2, running, suspended
    unsuspended:
    mutes: hold -> handing over, again from 5 in 2, running, muted
    unmutes:
    rewind:
    missed: -> handing over, again from 3 in 2, running
    answer:
    noAnswer:
    goOn:
    handOver:
    handoverLost: go back, deepen -> again from 5 in 2, running
    left: again from 5 -> absent, due
    lost: again from 5 -> absent, due
    adopted: runs -> held, due
    adoptedOther: -> held, stopped
    adoptedMuted: begins policy -> held, withheld, muted
    closed: -> absent, due
    """,
  ]
}
