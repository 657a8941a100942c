// Answers questions about the client's status by the step that shows it.
import { at, numberAt } from '../event-values.ts'
import type { StateValue, StepRecord } from '../format/records.ts'
import type { StatusQuestion } from './answer.ts'
import { type History, isIn } from './history.ts'
import type { Effect } from './vocabulary.ts'
import { durationInWords } from './words.ts'

/** The step to explain, its main clause, and what follows if that is clear from the status. */
export interface StatusEffect {
  readonly step: StepRecord
  readonly effect: Effect
  readonly next?: string
}

const SESSION = 'client/session'
const REFRESH = 'client/refresh'

type Find = (history: History) => StatusEffect | undefined

const isAuthenticated = isIn('authenticated')

/** The last session's end; without one, why there is none. */
const signedOut: Find = history => {
  const session = history.actorAt(SESSION)
  const last = history.latest(session)
  if (!last || isAuthenticated(last.value) || isIn('booting')(last.value)) return undefined
  let after = last
  for (let one: StepRecord | undefined = last; one; one = history.before(one)) {
    if (isAuthenticated(one.value))
      return { step: after, effect: { text: 'You were signed out' }, next: 'Sign in again.' }
    after = one
  }
  const step = history.enteredState(last)
  // An earlier session may have ended before the recording began.
  if (!step || !history.startOf(session)) return undefined
  const isFailed = step.event.type === 'auth.failed' || step.event.type.includes('.authenticating')
  return {
    step,
    effect: { text: isFailed ? 'You could not be signed in' : 'You are not signed in' },
    next: 'Sign in.',
  }
}

const signedIn: Find = history => {
  const last = history.latest(history.actorAt(SESSION))
  if (!last || !isAuthenticated(last.value)) return undefined
  const step = history.entered(last, isAuthenticated)
  return step && { step, effect: { text: 'You are signed in', isGood: true } }
}

const isInFlight = isIn('active.schedule.inFlight')

/** The attempt that brought the latest token. */
const refreshed: Find = history => {
  const refresh = history.actorAt(REFRESH)
  const done = history.find(refresh, ({ event }) => {
    const kind = outcomeOf(event)
    return kind === 'rotated' || kind === 'adopted'
  })
  if (!done) return undefined
  if (outcomeOf(done.event) === 'adopted') return { step: done, effect: { text: 'This tab has a new token' } }
  const before = history.before(done)
  const step = before && history.entered(before, isInFlight)
  return step && { step, effect: { text: 'The token was refreshed' } }
}

const outcomeOf = (event: StepRecord['event']): unknown => {
  const output = event.type.startsWith('xstate.done.actor.attempt') ? event['output'] : undefined
  return typeof output === 'object' && output !== null && 'kind' in output ? output.kind : undefined
}

/** The state of the schedule, and why it is in it. */
type ScheduleRow = readonly [state: string, text: string, next: string]

const SCHEDULE: readonly ScheduleRow[] = [
  ['paused.offline', 'The token is not refreshed', 'It is refreshed when the device is online again.'],
  [
    'paused.hidden',
    'The token is not refreshed',
    'It is refreshed when the page is visible again or needs it.',
  ],
  ['paused.manual', 'The token is not refreshed', 'It is refreshed when a request needs it.'],
  ['paused.keyRefused', 'The token is not refreshed', 'Enter the current publishable key.'],
  ['paused.frozen', 'The token is not refreshed', 'It is refreshed when the page runs again.'],
  ['paused.follower', 'This tab does not refresh the token', 'The other tab refreshes it for all tabs.'],
  ['backingOff', 'The token is not refreshed yet', '{retry}'],
  ['rateLimited', 'The token is not refreshed yet', '{retry}'],
  [
    'breakerOpen',
    'The token is not refreshed: there were too many refreshes in a short time',
    'The next one is allowed in a minute.',
  ],
  ['inFlight', 'The token is being refreshed', 'The auth server has not responded yet.'],
  ['refused', 'The token is not refreshed', 'Sign in again.'],
]

/** Why the client has no fresh token, or needs none. */
const notRefreshed: Find = history => {
  const last = history.latest(history.actorAt(REFRESH))
  if (!last) return undefined
  for (const [state, text, next] of SCHEDULE) {
    const isThere = isIn(`active.schedule.${state}`)
    if (!isThere(last.value)) continue
    const entry = history.entered(last, isThere)
    const step = Object.hasOwn(FACTS, state) ? factOf(history, state) : entry
    return step && { step, effect: { text }, next: next.replace('{retry}', retryText(entry ?? step)) }
  }
  return stillFresh(history, last)
}

/** The events of the client that report the fact of a pause, and the value of the field that causes it. */
const FACTS: Readonly<Record<string, readonly [type: string, field?: string, value?: boolean]>> = {
  'paused.offline': ['environment.changed', 'online', false],
  'paused.hidden': ['environment.changed', 'visible', false],
  'paused.frozen': ['environment.changed', 'frozen', true],
  'paused.manual': ['refresh.automatic'],
  'paused.follower': ['tab.role'],
}

/** A pause is explained by the fact that holds, not by the event after which it was checked. */
function factOf(history: History, state: string): StepRecord | undefined {
  const [type, field, value] = FACTS[state] ?? []
  const client = history.actorAt('client')
  const last = history.find(client, ({ event }) => event.type === type)
  if (!last || field === undefined) return last
  return (last.event[field] ?? false) === value ? firstReport(history, last, field) : undefined
}

/** The first of the reports in a row that say the same as the last one. */
function firstReport(history: History, last: StepRecord, field: string): StepRecord | undefined {
  let first = last
  for (;;) {
    const before = history.find(last.actor, ({ event }) => event.type === last.event.type, first.seq - 1)
    if (!before) return history.startOf(last.actor) ? first : undefined
    if (before.event[field] !== last.event[field]) return first
    first = before
  }
}

const retryText = ({ context }: StepRecord): string =>
  `The next attempt follows after ${durationInWords(numberAt(context, 'delay') ?? 0)}.`

const isFresh = isIn('active')

/** The token needs no refresh yet. */
function stillFresh(history: History, last: StepRecord): StatusEffect | undefined {
  const expiresAt = numberAt(last.context, 'token', 'expiresAt')
  if (!isFresh(last.value) || expiresAt === undefined) return undefined
  const step = history.entered(last, isFresh)
  if (!step) return undefined
  const left = durationInWords(Math.max(0, expiresAt - history.now))
  return {
    step,
    effect: { text: `The token is not refreshed: it is still valid for ${left}`, isComplete: true },
    next: `It is refreshed in about ${durationInWords(Math.max(0, expiresAt - 90_000 - history.now))}.`,
  }
}

/** The step by which the client waits for a token: reading the storage, or the schedule of the refresh. */
export function tokenBlocker(history: History): StepRecord | undefined {
  const session = history.latest(history.actorAt(SESSION))
  if (session && isIn('booting')(session.value)) return history.enteredState(session)
  return notRefreshed(history)?.step
}

const keyRefused: Find = history => {
  const key = history.actorAt('client/apiKey')
  const refused = history.find(key, ({ event }) => event.type === 'key.refused')
  if (!refused) return undefined
  return {
    step: refused,
    effect: { text: 'The API key is not accepted' },
    next: 'Enter the current publishable key.',
  }
}

const offline: Find = history => {
  const client = history.actorAt('client')
  // Its context contains what was last reported.
  if (at(history.latest(client)?.context, 'environment', 'online') !== false) return undefined
  const last = history.find(client, ({ event }) => event.type === 'environment.changed')
  const step = last && last.event['online'] === false ? firstReport(history, last, 'online') : undefined
  return (
    step && {
      step,
      effect: { text: 'You are offline' },
      next: 'The app continues when the device is online.',
    }
  )
}

const isOpen = (value: StateValue | undefined) =>
  isIn('attached.open')(value) || isIn('attached.hidden')(value) || isIn('idle')(value)

const liveLost: Find = history => {
  const last = history.latest(history.actorAt('client/realtime/connection'))
  if (!last || isOpen(last.value)) return undefined
  const isDown = (value: StateValue | undefined) =>
    !isOpen(value) && !isIn('attached.probing')(value) && !isIn('preparing')(value)
  const step = history.entered(last, isDown)
  return step && { step, effect: { text: 'The realtime connection is down' } }
}

/** Actors that are searched for a failed request, from the latest on. */
const RECENT = 2_000

/** The latest request that failed, or was answered with an error of the server. */
const callFailing: Find = history => {
  let latest: StepRecord | undefined
  for (const { src, index } of history.source.actors.slice(-RECENT)) {
    const last = src === 'request' ? history.latest(index) : undefined
    if (last && isFailing(last) && last.seq > (latest?.seq ?? -1)) latest = last
  }
  const step = latest && history.enteredState(latest)
  return step && { step, effect: { text: '' } }
}

const isFailing = ({ value, context }: StepRecord): boolean =>
  value === 'failed' ||
  value === 'backingOff' ||
  (value === 'answered' && (numberAt(context, 'status') ?? 0) >= 500)

/** By question; undefined if the client is not in that condition. */
export const STATUSES: Readonly<Record<StatusQuestion, Find>> = {
  signedOut,
  signedIn,
  refreshed,
  notRefreshed,
  keyRefused,
  offline,
  liveLost,
  callFailing,
}
