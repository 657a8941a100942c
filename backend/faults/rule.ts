// A single active fault: which requests and frames it matches, when it hits, and its randomness.
import { createMatcher } from './patterns.ts'
import { createRandom } from './random.ts'
import type { Family } from './codes/known-codes.ts'
import type { Fault, FaultWhen, SocketEvent } from './plan.ts'

/** The claimed caller of a request or a socket; it is not verified here. */
export interface Caller {
  readonly kind: 'anon' | 'service' | 'user'
  readonly id?: string
  readonly email?: string
}

/** What faults are matched against: a request or a socket event. */
export interface Subject {
  readonly family: Family
  readonly caller: Caller
  readonly method?: string
  readonly path?: string
  readonly query?: URLSearchParams
  readonly event?: SocketEvent
  readonly topic?: string
  readonly phoenix?: string
  /** The frame's ref, only for reports. */
  readonly ref?: string
  /** Whether this is a refresh token exchange. */
  readonly isRefresh?: boolean
}

export type NamedFault = Fault & { readonly id: string }

/** One hit: the fault's hit count and its delay. */
export interface Turn {
  readonly n: number
  readonly delay: number
}

export interface Rule {
  readonly fault: NamedFault
  /** Number of hits. */
  hits(): number
  /** Counts matches; returns a turn if the fault hits. */
  take(subject: Subject): Turn | undefined
}

/** Equal seeds, faults and subjects give equal turns. */
export function createRule(fault: NamedFault, seed: number): Rule {
  const { when = {}, do: action, times = Infinity } = fault
  const random = createRandom(seed, fault.id)
  const matches = createSubjectMatcher(fault)
  let [matchCount, hits] = [0, 0]
  return {
    fault,
    hits: () => hits,
    take(subject) {
      if (hits >= times || !matches(subject)) return undefined
      matchCount += 1
      if (!isTurn(when, matchCount)) return undefined
      if (when.probability !== undefined && random() >= when.probability) return undefined
      hits += 1
      const jitter = action.jitter === undefined ? 0 : Math.floor(random() * (action.jitter + 1))
      return { n: hits, delay: (action.delay ?? 0) + jitter }
    },
  }
}

function isTurn(
  { nth, from = 1, to = Infinity, every: interval = 1 }: FaultWhen,
  matchCount: number,
): boolean {
  if (nth !== undefined) return [nth].flat().includes(matchCount)
  return matchCount >= from && matchCount <= to && (matchCount - from) % interval === 0
}

function createSubjectMatcher({ when = {}, do: action }: Fault): (subject: Subject) => boolean {
  if (action.clock !== undefined) return () => false
  const families = when.family === undefined ? undefined : new Set<string>([when.family].flat())
  // Preflights are sent by the browser, so they only match if named explicitly.
  const methods = when.method === undefined ? undefined : new Set<string | undefined>([when.method].flat())
  const path = when.path === undefined ? undefined : createMatcher(when.path)
  const topic = when.topic === undefined ? undefined : createMatcher(when.topic)
  const query = Object.entries(when.query ?? {})
  return subject =>
    subject.event === when.event &&
    (!families || families.has(subject.family)) &&
    (methods ? methods.has(subject.method) : subject.method !== 'OPTIONS') &&
    (!path || path(subject.path ?? '')) &&
    // Heartbeat replies depend on timing and would upset all counts.
    (topic !== undefined || subject.event !== 'frame.out' || subject.topic !== 'phoenix') &&
    (!topic || [subject.topic ?? '', (subject.topic ?? '').replace(/^realtime:/, '')].some(topic)) &&
    (when.phoenix === undefined || when.phoenix === subject.phoenix) &&
    (action.session !== 'reused' || subject.isRefresh === true) &&
    query.every(([name, value]) => subject.query?.getAll(name).includes(value) === true) &&
    (when.user === undefined || isCaller(subject.caller, when.user))
}

function isCaller({ kind, id, email }: Caller, user: string): boolean {
  if (user === 'anon' || user === 'service') return kind === user
  return kind === 'user' && (id === user || email?.toLowerCase() === user.toLowerCase())
}
