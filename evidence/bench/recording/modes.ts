// What a workload can be run with: bare, inspected or recorded, or as a replay of its recording.
import { createInspector } from '@statelyai/inspect'
import { createActor } from 'xstate'
import type { AnyActorLogic, SimulatedClock } from 'xstate'
import { record } from '../../../src/services/recording/record.ts'
import type { SystemRecording } from '../../../src/services/recording/recording-types.ts'
import { verify } from '../../../src/services/replay/verify/verify.ts'
import { createSegments } from '../../../src/services/recording/store/segments.ts'
import { readTrace } from '../../../src/trace/read/read-file.ts'

/** A system and the events it handles. */
export interface Workload {
  readonly logic: AnyActorLogic
  readonly words: string
  readonly clock: () => SimulatedClock
  readonly drive: (
    actor: { send(event: never): void },
    clock: SimulatedClock,
    events: number,
  ) => Promise<void>
}

/** A run that continues as long as events are requested. */
export interface Run {
  /** Sends this many more events. */
  readonly go: (events: number) => Promise<void>
  /** The number of records. */
  readonly records: () => number
}

type Mode = (workload: Workload, events: number) => Promise<Run>

export const bare: Mode = ({ logic, clock: newClock, drive }) => {
  const clock = newClock()
  const actor = createActor(logic, { clock })
  actor.start()
  return Promise.resolve({ go: events => drive(actor, clock, events), records: () => 0 })
}

/** With an inspector whose adapter drops all messages: no network. */
export const inspected: Mode = ({ logic, clock: newClock, drive }) => {
  const clock = newClock()
  let sent = 0
  const { inspect } = createInspector({ send: () => void (sent += 1) })
  const actor = createActor(logic, { clock, inspect: inspect as never })
  actor.start()
  return Promise.resolve({ go: events => drive(actor, clock, events), records: () => sent })
}

/** Permanent recording: a ring of the last 100,000 stimuli, from which a replay derives the steps. */
export const recorded: Mode = workload => inRing(workload, false)

/** The same, recording every step as it happens. */
export const viewed: Mode = workload => inRing(workload, true)

function inRing({ logic, clock: newClock, drive }: Workload, steps: boolean): Promise<Run> {
  const clock = newClock()
  const recording = record(logic, { clock, steps }) as SystemRecording<AnyActorLogic>
  const segments = createSegments(recording, () => clock.now())
  recording.start()
  return Promise.resolve({
    go: events => drive(recording.actor as never, clock, events),
    records: () =>
      segments.list().reduce((sum, { trace }) => sum + trace.stimuli.length + trace.steps.length, 0),
  })
}

/** Replays the recording of this many events from a file, comparing every step. */
export const replayed: Mode = async ({ logic, clock: newClock, drive }, most) => {
  const clock = newClock()
  const recording = record(logic, { clock, system: 'bench' })
  recording.start()
  await drive(recording.actor as never, clock, most)
  const read = await readTrace(recording.lines().join('\n'))
  if (read.kind !== 'trace') throw new Error(read.message)
  return {
    go() {
      const report = verify(read.trace, { bench: logic })
      if (report.outcome !== 'exact') throw new Error(JSON.stringify(report))
      return Promise.resolve()
    },
    records: () => read.trace.steps.length,
  }
}
