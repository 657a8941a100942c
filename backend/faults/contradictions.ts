// Finds contradictions within a fault: combinations that would do nothing, or two things at once.
import { knownCode } from './codes/known-codes.ts'
import { PatternError, createMatcher } from './patterns.ts'
import type { Fault, FaultAction } from './plan.ts'

export interface PlanProblem {
  /** Path within the plan, e.g. `faults.0.do.delay`. */
  readonly path: string
  /** The problem and how to fix it. */
  readonly message: string
}

type Key = keyof FaultAction

const WAITS: readonly Key[] = ['delay', 'jitter']
const ANSWERS: readonly Key[] = ['status', 'code', 'message', 'retryAfter']
/** The actions possible at each place; at others they would silently do nothing. */
const POSSIBLE: Readonly<Record<string, readonly Key[]>> = {
  request: [...WAITS, ...ANSWERS, 'lost', 'truncate', 'bytesPerSecond', 'hold', 'token', 'session'],
  upgrade: [...WAITS, ...ANSWERS, 'lost', 'hold'],
  open: [...WAITS, 'close'],
  'frame.in': [...WAITS, 'drop', 'duplicate', 'reorder', 'garble', 'truncate', 'close', 'token', 'session'],
  'frame.out': [...WAITS, 'drop', 'duplicate', 'reorder', 'garble', 'truncate', 'close'],
  heartbeat: [...WAITS, 'drop', 'close'],
}

/** The problems of the fault at `path`. */
export function contradictions(fault: Fault, path: string): PlanProblem[] {
  const { when = {}, do: action } = fault
  const problems: PlanProblem[] = []
  const refuse = (at: string, message: string) => problems.push({ path: `${path}.${at}`, message })
  const keys = (Object.keys(action) as Key[]).filter(key => action[key] !== undefined)
  if (keys.length === 0) refuse('do', 'has no action; add one, e.g. { "delay": 500 }')
  if (action.clock !== undefined) {
    if (keys.length > 1) refuse('do.clock', 'cannot be combined with other actions; use a separate fault')
    if (fault.when !== undefined || fault.times !== undefined)
      refuse('do.clock', 'moves the clock for all callers while the fault exists; leave out when and times')
  } else {
    const place = when.event ?? 'request'
    for (const key of keys.filter(one => !POSSIBLE[place]?.includes(one))) {
      const places = Object.keys(POSSIBLE).filter(name => POSSIBLE[name]?.includes(key))
      const labels = places.map(name => (name === 'request' ? 'requests' : `when.event "${name}"`))
      refuse(
        `do.${key}`,
        `does nothing for ${place === 'request' ? 'requests' : `"${place}"`}; it applies to ${labels.join(', ')}`,
      )
    }
  }
  checkAnswer(fault, refuse)
  checkWhen(fault, refuse)
  return problems
}

type Refuse = (at: string, message: string) => void

function checkAnswer({ do: action, when }: Fault, refuse: Refuse): void {
  const family = typeof when?.family === 'string' ? when.family : undefined
  const answers = action.status !== undefined || action.code !== undefined
  if (action.code !== undefined && action.status === undefined && !knownCode(action.code, family))
    refuse('do.code', `"${action.code}" is not a known code; add a status`)
  for (const key of ['message', 'retryAfter'] as const)
    if (action[key] !== undefined && !answers) refuse(`do.${key}`, 'needs a response; add a status or a code')
  if (answers && action.lost !== undefined)
    refuse('do.lost', 'sends no response; use either this or the status')
  if (answers && action.session === 'reused')
    refuse('do.session', 'has its own response; leave out status and code')
  if (when?.event === 'upgrade' && (action.lost === 'response' || action.hold === 'response'))
    refuse(`do.${action.lost === 'response' ? 'lost' : 'hold'}`, 'an upgrade has no response; use "request"')
}

function checkWhen({ when = {} }: Fault, refuse: Refuse): void {
  const isFrame = when.event?.startsWith('frame') === true
  if (when.nth !== undefined && (when.from ?? when.to ?? when.every) !== undefined)
    refuse('when.nth', 'already selects matches; leave out from, to and every')
  if (when.from !== undefined && when.to !== undefined && when.to < when.from)
    refuse('when.to', `is less than from (${when.from}); use ${when.from} or more`)
  for (const key of ['topic', 'phoenix'] as const)
    if (when[key] !== undefined && !isFrame)
      refuse(`when.${key}`, 'applies to frames; add event "frame.in" or "frame.out"')
  if (when.event !== undefined) {
    const family = [when.family ?? 'realtime'].flat()
    if (!family.includes('realtime')) refuse('when.family', 'sockets belong to realtime; leave it out')
    if (when.method !== undefined) refuse('when.method', 'applies to requests; leave out method or event')
    if (when.path !== undefined) refuse('when.path', 'applies to requests; leave out path or event')
    if (when.query !== undefined && when.event !== 'upgrade')
      refuse('when.query', 'applies to requests and upgrades; leave it out')
  }
  for (const key of ['path', 'topic'] as const) {
    const pattern = when[key]
    if (pattern !== undefined) checkPattern(pattern, `when.${key}`, refuse)
  }
}

function checkPattern(pattern: string, at: string, refuse: Refuse): void {
  try {
    createMatcher(pattern)
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    refuse(
      at,
      `is not a regular expression: ${error.message}. Lookaround and backreferences are not supported`,
    )
  }
}
