// A situation: a recording, a question about it, and the facts that a correct answer contains.
import type { Evidence, Question } from '../../../../src/trace/explain/answer.ts'
import type { TraceSource } from '../../../../src/trace/index.ts'
import type { StepRecord } from '../../../../src/trace/index.ts'
import type { ClientCommand } from '../../../../src/machines/client.ts'
import { recordedClient } from '../../../harness/recorded-run.ts'
import type { World } from '../../../harness/timeline.ts'

/** The reason's step: its actor without ordinals, its event, and some of the event's fields; an empty text is any. */
export type ReasonStep = readonly [actor: string, type: string, fields?: Readonly<Record<string, unknown>>]

export interface ExpectedAnswer {
  /** Words that the sentence contains, in any order; their case does not matter. */
  readonly mentions: readonly string[]
  /** Words that it does not contain. */
  readonly omits?: readonly string[]
  readonly reason: ReasonStep
  /** Fields of evidence, each of one piece. */
  readonly evidence?: readonly (Partial<Evidence> & { readonly kind: Evidence['kind'] })[]
  /** Words of what follows. */
  readonly next?: string
}

/** The recording does not show the reason. */
export interface ExpectedUnknown {
  readonly unknown: true
}

export interface Situation {
  readonly name: string
  readonly record: () => TraceSource | Promise<TraceSource>
  readonly question: (trace: TraceSource) => Question
  readonly expected: ExpectedAnswer | ExpectedUnknown
}

export interface Run {
  readonly advance: (ms: number) => void
  readonly send: (command: ClientCommand) => void
  /** Sends a GET, or the request with these fields, with id `r`. */
  readonly request: (fields?: object) => void
  readonly stop: () => void
}

/** What happens in a run after the client has started. */
export type Play = (run: Run) => void

export const wait =
  (ms: number): Play =>
  ({ advance }) =>
    advance(ms)

export const both =
  (...plays: readonly Play[]): Play =>
  run =>
    plays.forEach(play => play(run))

export const request =
  (fields: object = {}): Play =>
  run =>
    run.request(fields)

export const sends =
  (command: ClientCommand): Play =>
  ({ send }) =>
    send(command)

/** Runs the whole client on scripted ports and the virtual clock. */
export function clientTrace(worlds: readonly World[], play: Play): TraceSource {
  const { clock, recorder, send } = recordedClient(
    clock => Object.assign({}, ...worlds.map(world => world(clock))) as object,
  )
  play({
    advance: ms => clock.advance(ms),
    send,
    request: (fields = {}) =>
      send({
        type: 'request.start',
        info: { id: 'r', family: 'rest', method: 'GET', path: '/rest/v1/vessels', ...fields },
      }),
    stop: () => recorder.stop(),
  })
  return recorder.trace
}

export const client = (
  name: string,
  worlds: readonly World[],
  play: Play,
  question: Situation['question'],
  expected: Situation['expected'],
): Situation => ({ name, record: () => clientTrace(worlds, play), question, expected })

export const signedOut: Situation['question'] = () => ({ status: 'signedOut' })
export const signedIn: Situation['question'] = () => ({ status: 'signedIn' })
export const refreshed: Situation['question'] = () => ({ status: 'refreshed' })
export const notRefreshed: Situation['question'] = () => ({ status: 'notRefreshed' })
export const actor =
  (path: string): Situation['question'] =>
  () => ({ actor: path })
export const requestR = actor('client/requests/request.r')
export const bridge = actor('client/realtime/channel.bridge')
export const uploadU = actor('client/uploads/upload.u')

/** The last step of an actor with this event. */
export const step =
  (path: string, type: string, fields: object = {}): Situation['question'] =>
  trace => ({ step: lastStep(trace, [path, type, fields as Record<string, unknown>])?.seq ?? -1 })

function lastStep(trace: TraceSource, [path, type, fields = {}]: ReasonStep): StepRecord | undefined {
  return trace.steps.findLast(
    one =>
      trace.actors[one.actor]?.path === path &&
      one.event.type === type &&
      Object.entries(fields).every(([key, value]) => one.event[key] === value),
  )
}
