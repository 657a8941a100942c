// The vocabulary of this client and of the workbench.
import { textAt } from '../event-values.ts'
import type { StepRecord } from '../format/records.ts'
import { stateEffect, stateNext } from './client-effects.ts'
import { clientReason, timeoutInWords } from './client-reasons.ts'
import { tokenBlocker } from './client-status.ts'
import { subjectOf } from './client-subjects.ts'
import { failureAt } from './failure-words.ts'
import { History, isIn } from './history.ts'
import { strangerVocabulary } from './stranger-vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'
import { quoted } from './words.ts'

/** Events that say that something went its usual way: the reason is what started it. */
const PLUMBING: ReadonlySet<string> = new Set([
  'auth.succeeded',
  'connection.opened',
  'leadership.gained',
  'leadership.unavailable',
  'lock.held',
  'lock.unavailable',
  'name.free',
  'name.unknown',
  'postgres.subscribed',
  'probe.failed',
  'queue.next',
  'refresh.succeeded',
  'resync.done',
  'revoke.succeeded',
  'rows.deleted',
  'session.stored',
  'socket.alive',
  'socket.opened',
  'socket.stale',
  'stored.removed',
  'stored.same',
  'topic.joined',
  'user.loaded',
  'write.requested',
])

/** Timers that only delay what follows. */
const DELAYS =
  /^xstate\.after\.(?:retryDelay|randomDelay|settleAfter|bodyCheck|keyTrust|keyCheckPause|deniedRetry|probeTimeout|4000|tokenTimeout)\./

const isPlumbing: Vocabulary['isPlumbing'] = (history, step) => {
  const { type } = step.event
  if (PLUMBING.has(type) || DELAYS.test(type)) return true
  if (type === 'xstate.after.deadline.request') return isWaiting(history, step)
  if (type === 'clock.tick') return history.taken(step).length < 2
  // Read again after a change that is the reason.
  if (type === 'stored.found' || type === 'stored.none')
    return /checkingStorage|rereading$/.test(history.leftState(step) ?? '') && history.src(step) === 'session'
  return false
}

const WAITS: Readonly<Record<string, string>> = {
  request: 'awaitingToken',
  connection: 'awaitingToken',
  channel: 'membership.awaitingToken',
}

/** Whether the actor waited for a token before this step. */
const isWaiting = (history: History, step: StepRecord): boolean => {
  const state = WAITS[history.src(step)]
  const before = history.before(step)
  return state !== undefined && before !== undefined && isIn(state)(before.value)
}

/** A wait for a token is explained by what the client waits for. */
const detour: Vocabulary['detour'] = (history, step, isEffect) => {
  const src = history.src(step)
  if (src === 'session') return attemptDetour(history, step)
  const state = Object.hasOwn(WAITS, src) ? WAITS[src] : undefined
  if (state === undefined) return isEffect ? offlineDetour(history, step) : undefined
  const isTimeout =
    /^xstate\.after\.(?:tokenTimeout|deadline)\./.test(step.event.type) && isWaiting(history, step)
  if (!isTimeout && !(isEffect && isIn(state)(step.value))) return undefined
  // A wait is explained by what is so now, and its end by what was so then.
  const last = history.latest(step.actor)
  const isNow = !isTimeout && last !== undefined && isIn(state)(last.value)
  return tokenBlocker(isNow ? history : new History(history.source, step.seq)) ?? 'missing'
}

/** The results of a job of the session, which may have been queued behind another one. */
const RESULTS: ReadonlySet<string> = new Set(['auth.succeeded', 'session.stored', 'user.loaded'])

function attemptDetour(history: History, step: StepRecord): ReturnType<Vocabulary['detour']> {
  if (!RESULTS.has(step.event.type)) return undefined
  const before = history.before(step)
  if (!before) return 'missing'
  const attempt = textAt(before.context, 'jobs', '0', 'attempt')
  if (attempt === undefined) return undefined
  const isCommand = ({ event }: StepRecord) =>
    event['attempt'] === attempt && event.type.startsWith('session.') && event.type !== 'session.stored'
  return history.find(step.actor, isCommand, step.seq - 1) ?? 'missing'
}

/** An upload waits for the network since the device is offline. */
function offlineDetour(history: History, step: StepRecord): ReturnType<Vocabulary['detour']> {
  if (history.src(step) !== 'upload' || !isIn('waitingForNetwork')(step.value)) return undefined
  const change = history.find(step.actor, ({ event }) => event.type === 'environment.changed', step.seq)
  return change?.event['online'] === false ? change : 'missing'
}

const note: Vocabulary['note'] = (history, step, reason) => {
  const { type } = step.event
  if (type.startsWith('xstate.after.probeTimeout.connection'))
    return `${timeoutInWords(history, step) ?? ''}, after ${reason}`
  if (/^xstate\.after\.(?:tokenTimeout|deadline)\.request/.test(type))
    return `${timeoutInWords(history, step) ?? 'no live token was available in time'}: ${reason}`
  if (type === 'breaker.opened')
    return `the token was refreshed too many times in a short time, and ${reason}`
  return undefined
}

const effect: Vocabulary['effect'] = (history, step, isStep) => {
  const isEntry = stateEffect(history, step)
  if (!isStep) return isEntry ?? strangerVocabulary.effect(history, step, isStep)
  const own = stepText(step)
  if (own !== undefined) return { text: own }
  const { value } = step
  const before = history.before(step)
  const isMoved = JSON.stringify(value ?? null) !== JSON.stringify(before?.value ?? null)
  if (isEntry && isMoved) return isEntry
  if (isEntry && history.taken(step).length > 0)
    return { text: `${subjectOf(history, step)} received ${step.event.type}` }
  return strangerVocabulary.effect(history, step, isStep)
}

/** Clauses of steps that do not name the state. */
const STEPS: Readonly<Record<string, string>> = {
  'url.failed': 'The link did not sign you in',
  'url.foreign': 'The address was left alone',
  'url.mismatch': 'The link did not sign you in',
  'url.verifierMissing': 'The link did not sign you in',
  'refresh.request': 'A new token was requested',
  'environment.woke': 'The token and the connection are checked',
  'postgres.failed': 'Row changes of the channel {channel} do not arrive',
  'channel.join': 'The channel {channel} was joined',
  'channel.leave': 'The channel {channel} was left',
  'token.due': 'The token is due for a refresh',
  'token.refreshing': 'The token is being refreshed',
}

function stepText({ event, context }: StepRecord): string | undefined {
  const text = Object.hasOwn(STEPS, event.type) ? STEPS[event.type] : undefined
  return text?.replace('{channel}', quoted(textAt(event, 'topic') ?? textAt(context, 'topic') ?? ''))
}

const reason: Vocabulary['reason'] = (history, step, of) =>
  clientReason(history, step, of) ?? strangerVocabulary.reason(history, step, of)

const next: Vocabulary['next'] = (history, of, cause) => {
  if (cause.event.type === 'url.none') return 'It continues when the stored session has been read.'
  if (cause.event['online'] === false) return 'It continues when the device is online again.'
  const failure = failureAt(of.context, 'failure')
  if (failure?.code === 'blocked_offline') return 'Try again when the device is online.'
  if (failure?.kind === 'apiKey') return 'Enter the current publishable key.'
  return stateNext(history, of)
}

export const clientVocabulary: Vocabulary = { isPlumbing, detour, note, effect, reason, next }

/** Whether a recording is of this client or of the workbench. */
export const isOwnSystem = (system: string): boolean =>
  system === 'chartroom' || system.startsWith('chartroom/workbench/')
