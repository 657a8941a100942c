// Finds the event that caused a failure in the recording of a client.
import type { StateValue, StepRecord, TraceSource } from '../../../trace/index.ts'
import type { BackendFault } from '../../../services/workbench/hosts/index.ts'

/** A place in a recording. */
export interface Cause {
  /** Path of the actor. */
  readonly actor: string
  /** Number of the step; undefined for the actor's latest. */
  readonly at?: number
  /** Tab of the console. */
  readonly view?: 'network' | 'chart'
}

type Trace = Pick<TraceSource, 'steps' | 'actors'>

const REQUEST = /^client\/requests\/request\./

const pathOf = ({ actors }: Trace, { actor }: StepRecord): string => actors[actor]?.path ?? ''

/** The event from outside that a step follows from. */
function rootOf(trace: Trace, step: StepRecord): StepRecord {
  let root = step
  for (let { by } = step; by !== undefined; { by } = root) {
    const before = trace.steps[by]
    if (before === undefined) break
    root = before
  }
  return root
}

/** A refresh attempt takes further steps after a refusal, as it reads the storage; the refusal is the cause. */
const causeAt = (trace: Trace, step: StepRecord): Cause => {
  const root = rootOf(trace, step)
  const actor = pathOf(trace, root)
  if (!actor.startsWith('client/refresh/attempt')) return { actor, at: root.seq }
  const before = trace.steps.slice(0, root.seq + 1)
  const failed = before.findLast(({ actor, event }) => actor === root.actor && event['failure'] !== undefined)
  return { actor, at: (failed ?? root).seq }
}

const isIn = (value: StateValue | undefined): boolean =>
  typeof value === 'object' && value['authenticated'] !== undefined

/** The event that ended the last session, such as the response that refused a refresh. */
export function causeOfSignOut(trace: Trace): Cause {
  let after: StepRecord | undefined
  for (const step of trace.steps.toReversed()) {
    if (pathOf(trace, step) !== 'client/session') continue
    if (isIn(step.value)) break
    after = step
  }
  return after === undefined ? { actor: 'client/session' } : causeAt(trace, after)
}

const isGood = ({ type, ...event }: StepRecord['event']): boolean =>
  type === 'send.answered' && typeof event['status'] === 'number' && event['status'] < 500

/** The latest request without a good response: it failed, or still waits. */
function causeInRequests(trace: Trace): Cause {
  const good = new Set<number>()
  for (const step of trace.steps.toReversed()) {
    const actor = pathOf(trace, step)
    if (!REQUEST.test(actor) || good.has(step.actor)) continue
    if (!isGood(step.event)) return { actor, at: step.seq, view: 'network' }
    good.add(step.actor)
  }
  return { actor: 'client/requests', view: 'network' }
}

/** The latest response that refused the key. */
function causeInKey(trace: Trace): Cause {
  const actor = 'client/apiKey'
  const refused = trace.steps.findLast(
    step => step.event.type === 'key.refused' && pathOf(trace, step) === actor,
  )
  if (refused === undefined) return { actor, view: 'chart' }
  const root = rootOf(trace, refused)
  return { actor: pathOf(trace, root), at: root.seq, view: 'network' }
}

const ACTORS: Readonly<Partial<Record<BackendFault, string>>> = {
  offline: 'client/environment',
  liveLost: 'client/realtime/connection',
  tokenExpired: 'client/refresh',
  renewalDelayed: 'client/refresh',
}

/** Where the recording shows what is wrong with the backend. */
export function causeOfTrouble(trace: Trace, fault: BackendFault): Cause {
  if (fault === 'keyRejected') return causeInKey(trace)
  const actor = ACTORS[fault]
  return actor === undefined ? causeInRequests(trace) : { actor, view: 'chart' }
}
