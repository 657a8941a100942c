// One fault at work: which requests and frames it is about, whose turn it is, and what chance adds.
import { createMatcher } from './patterns.ts'
import { createRandom } from './random.ts'
import type { Family } from './codes/known-codes.ts'
import type { Fault, FaultWhen, SocketEvent } from './plan.ts'

/** Who a request or a socket says it is from; what it may do is none of our business here. */
export interface Caller {
  readonly kind: 'anon' | 'service' | 'user'
  readonly id?: string
  readonly email?: string
}

/** What faults are matched against: a request, or something that happens on a socket. */
export interface Subject {
  readonly family: Family
  readonly caller: Caller
  readonly method?: string
  readonly path?: string
  readonly query?: URLSearchParams
  readonly event?: SocketEvent
  readonly topic?: string
  readonly phoenix?: string
  /** The frame's ref, for reports alone. */
  readonly ref?: string
  /** Whether a refresh token is exchanged. */
  readonly isRefresh?: boolean
}

export type NamedFault = Fault & { readonly id: string }

/** One hit: the fault's n-th, and the wait that it asks for. */
export interface Turn {
  readonly n: number
  readonly delay: number
}

export interface Rule {
  readonly fault: NamedFault
  /** How often it has hit. */
  hits(): number
  /** Counts what matches; a turn when the fault hits. */
  take(subject: Subject): Turn | undefined
}

/** Equal seeds, faults and subjects give equal turns. */
export function createRule(fault: NamedFault, seed: number): Rule {
  const { when = {}, do: action, times = Infinity } = fault
  const random = createRandom(seed, fault.id)
  const matches = createSubjectMatcher(fault)
  let [seen, hits] = [0, 0]
  return {
    fault,
    hits: () => hits,
    take(subject) {
      if (hits >= times || !matches(subject)) return undefined
      seen += 1
      if (!isTurn(when, seen)) return undefined
      if (when.probability !== undefined && random() >= when.probability) return undefined
      hits += 1
      const jitter = action.jitter === undefined ? 0 : Math.floor(random() * (action.jitter + 1))
      return { n: hits, delay: (action.delay ?? 0) + jitter }
    },
  }
}

function isTurn({ nth, from = 1, to = Infinity, every = 1 }: FaultWhen, seen: number): boolean {
  if (nth !== undefined) return [nth].flat().includes(seen)
  return seen >= from && seen <= to && (seen - from) % every === 0
}

function createSubjectMatcher({ when = {}, do: action }: Fault): (subject: Subject) => boolean {
  if (action.clock !== undefined) return () => false
  const families = when.family === undefined ? undefined : new Set<string>([when.family].flat())
  // A preflight is the browser's own business, unless it is asked for by name.
  const methods = when.method === undefined ? undefined : new Set<string | undefined>([when.method].flat())
  const path = when.path === undefined ? undefined : createMatcher(when.path)
  const topic = when.topic === undefined ? undefined : createMatcher(when.topic)
  const query = Object.entries(when.query ?? {})
  return subject =>
    subject.event === when.event &&
    (!families || families.has(subject.family)) &&
    (methods ? methods.has(subject.method) : subject.method !== 'OPTIONS') &&
    (!path || path(subject.path ?? '')) &&
    // Replies to heartbeats come by the clock: they would upset every count.
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
