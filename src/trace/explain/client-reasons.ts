// How a person says why something happened in the client: one clause for each event that can be a reason.
import { at, numberAt, textAt } from '../event-values.ts'
import type { StepRecord } from '../format/records.ts'
import { nameOf, requestOf, withoutQuery } from './client-subjects.ts'
import { deviceChange, DEVICE_WORDS } from './device.ts'
import { failureInWords, failureOf, responseInWords } from './failure-words.ts'
import { type History, isIn } from './history.ts'
import { timerDelay } from './timers.ts'
import type { Reason } from './vocabulary.ts'
import { durationInWords, quoted } from './words.ts'

type Clause = (history: History, step: StepRecord, effect: StepRecord) => Reason | string

const bad = (text: string): Reason => ({ text, isBad: true })

/** A failure of an effect; `server` is who responds, `doing` what was tried. */
const failing =
  (server: string, doing = ''): Clause =>
  (_, step) => {
    const failure = failureOf(step)
    return bad(failure ? `${doing}${failureInWords(failure, server)}` : `${doing}it failed`)
  }

const AUTH = 'the auth server'

const REFRESH_CODES: ReadonlySet<string> = new Set(['refresh_token_already_used', 'refresh_token_not_found'])

const refreshFailed: Clause = (history, step) => {
  const failure = failureOf(step)
  if (failure?.kind === 'conflict') return bad('another tab changed the stored session during the refresh')
  const text = failure ? failureInWords(failure, AUTH) : 'the refresh failed'
  if (failure?.code !== undefined && REFRESH_CODES.has(failure.code))
    return bad(text + tabBefore(history, step))
  const isRefusal = failure?.status !== undefined && failure.status >= 400 && failure.status < 500
  return bad(
    isRefusal && failure.code !== undefined && failure.kind === 'auth'
      ? `the refresh of the token was refused: ${text}`
      : text,
  )
}

/** Another tab's change of the stored session shortly before, if the recording shows one. */
export function otherTabBefore(history: History, step: StepRecord): StepRecord | undefined {
  const tab = history.actorAt('client/tab')
  if (tab < 0) return undefined
  const isChange = ({ event }: StepRecord) =>
    event.type === 'stored.changed' && event['by'] === 'otherTab' && event['what'] === 'written'
  const change = history.find(tab, isChange, step.seq)
  return change && step.t - change.t <= 60_000 ? change : undefined
}

function tabBefore(history: History, step: StepRecord): string {
  const change = otherTabBefore(history, step)
  return change ? `, ${durationInWords(step.t - change.t)} after another tab had stored a new session` : ''
}

const answered: Clause = (history, step, effect) => {
  const status = numberAt(step.event, 'status') ?? 0
  const refusal = textAt(step.event, 'refusal')
  const isOwn = effect.actor === step.actor
  const request = requestOf(history, step)
  const name = request && !isOwn ? `${request.method} ${request.path}` : undefined
  if (status < 400)
    return name === undefined ? `the backend responded with ${status}` : `${name} was answered with ${status}`
  if (
    isOwn &&
    status === 401 &&
    at(effect.context, 'rejected') !== undefined &&
    at(effect.context, 'status') === 401
  )
    return bad('the backend rejected the token, and a new token, too (401)')
  const text = responseInWords(status, refusal)
  const wait = numberAt(step.event, 'retryAfter')
  const asks = wait === undefined ? '' : ` and asks to wait ${durationInWords(wait * 1_000)}`
  const attempts = isOwn ? (numberAt(effect.context, 'attempt') ?? 1) : 1
  const isOver = isOwn && isIn('answered')(effect.value) && attempts > 1
  const times = isOver ? `, after ${attempts} attempts` : ''
  return bad(name === undefined ? `${text}${asks}${times}` : `${name} was refused: ${text}${asks}`)
}

const environment: Clause = (history, step) => {
  const change = deviceChange(history, step)
  return {
    text: change ? DEVICE_WORDS[change] : 'the device or the page changed',
    isBad: change === 'offline',
  }
}

const storedChanged: Clause = (_, { event }) => {
  const isTab = event['by'] === 'otherTab'
  if (event['what'] === 'removed')
    return bad(isTab ? 'another tab signed out' : 'the stored session was removed from the browser’s storage')
  return isTab ? 'another tab stored a session' : 'the stored session was changed'
}

const storedFound: Clause = (history, step, effect) => {
  if (history.src(step) === 'attempt') return 'another tab had stored a newer token'
  if (history.path(effect) === 'client/session') return 'a stored session was found'
  const expiresAt = numberAt(step.event, 'token', 'expiresAt')
  const since = numberAt(step.event, 'token', 'heldSince')
  if (isIn('active.schedule.inFlight')(effect.value) && expiresAt !== undefined && since !== undefined)
    return expiresAt <= since
      ? 'the token of the stored session had expired'
      : 'the token of the stored session was due'
  return 'a stored session was found'
}

const tick: Clause = (_, { value, context }) => {
  if (!isIn('active.schedule.inFlight')(value)) return 'the time for it had come'
  const left = (numberAt(context, 'token', 'expiresAt') ?? 0) - (numberAt(context, 'at') ?? 0)
  return left > 0
    ? `it was due, ${durationInWords(left)} before it would have expired`
    : 'it was due and had expired'
}

const closed: Clause = (_, { event }) =>
  bad(`the connection was closed with ${String(numberAt(event, 'code') ?? 'no code')}`)

/** The words of the realtime server, whose reasons begin with a code. */
const serverSays = ({ event }: StepRecord): string => quoted(textAt(event, 'reason') ?? '')

/** The actor that it happened to, unless the effect is about it. */
const itOrName = (history: History, step: StepRecord, effect: StepRecord): string =>
  effect.actor === step.actor ? 'it' : nameOf(history, step)

const probeAnswered: Clause = (_, { event }) => {
  const status = numberAt(event, 'status') ?? 0
  return bad(`the socket did not open, and ${responseInWords(status, textAt(event, 'refusal'))}`)
}

/** What a timer of this name ends. */
const TIMEOUTS: Readonly<Record<string, string>> = {
  lockTimeout: 'another tab held the lock of the session for {time} without finishing',
  authTimeout: 'the auth server did not respond within {time}',
  requestTimeout: 'there was no response within {time}',
  deadline: 'its time of {time} was over',
  storageTimeout: 'the storage did not respond within {time}',
  joinTimeout: 'there was no response to the join within {time}',
  connectTimeout: 'the socket did not open within {time}',
  resyncTimeout: 'reloading the rows took longer than {time}',
  electTimeout: 'another tab refreshes the token for all tabs',
  suspendHiddenAfter: 'the page was hidden for {time}',
  lingerFor: 'no channel was in use for {time}',
  checkTimeout: 'the check did not end within {time}',
  stallWarning: 'it made no progress for {time}',
  10000: 'it made no progress for {time}',
  stallTimeout: 'it made no progress for a minute',
  undo: 'it was not undone within {time}',
  untilExpiry: 'the token expired',
  checkNameTimeout: 'the folder was not listed within {time}',
  tokenTimeout: 'no live token was available within {time}',
  probeTimeout: 'there was no response to a probe within {time}',
}

/** A timer's clause. */
export function timeoutInWords(history: History, step: StepRecord): string | undefined {
  const [, name = ''] = /^xstate\.after\.([^.]+)\./.exec(step.event.type) ?? []
  const text = Object.hasOwn(TIMEOUTS, name) ? TIMEOUTS[name] : undefined
  const delay = timerDelay(history, step)
  if (name === 'authTimeout' && isIn('booting.readingStorage')(history.before(step)?.value))
    return `the stored session could not be read within ${durationInWords(delay ?? 0)}`
  return text?.replace('{time}', durationInWords(delay ?? 0))
}

const signOut: Clause = (_, { event }) =>
  event['scope'] === 'global' ? 'you signed out everywhere' : 'you signed out'

const checked: Clause = () => 'a check found the API key accepted'

const REASONS: Readonly<Record<string, Clause | string>> = {
  'auth.failed': failing(AUTH),
  'auth.unconfirmed': 'the email address must be confirmed first',
  'batch.delayed': failing('the backend'),
  'batch.lost': failing('the backend'),
  'batch.refused': failing('the backend'),
  'batch.written': 'the backend wrote the rows',
  'body.failed': bodyFailed,
  'channel.command': 'the app sent a message',
  'channel.join': 'the app asked for it',
  'channel.leave': 'the app asked for it',
  'clock.tick': tick,
  'comparison.cancel': 'you canceled it',
  'comparison.retry': 'you started it again',
  'deletion.cancel': 'you chose to undo it',
  'deletion.send': 'you sent it',
  'differences.failed': failing('the backend'),
  'edits.add': 'you edited a row',
  'edits.command': 'you changed the edit',
  'edits.pause': 'its user is not signed in',
  'edits.retry': 'the device is online again',
  'edits.start': 'its user is signed in',
  'environment.changed': environment,
  'environment.woke': (_, { event }) =>
    `the device had slept for ${durationInWords(numberAt(event, 'slept') ?? 0)}`,
  'import.cancel': 'you canceled it',
  'import.pause': 'you paused it',
  'import.resume': 'you continued it',
  'import.retry': 'you sent the rows again',
  'import.skip': 'you skipped the rows',
  'key.check': 'you asked to check the API key',
  'key.checked': checked,
  'key.replaced': 'another API key was entered',
  'leadership.lost': 'another tab took over the refreshes',
  'lock.lost': 'another tab took the lock of the session',
  'name.taken': 'a file of this name exists',
  'pages.read': failing('the backend', 'a page of rows could not be read: '),
  'port.broken': failing('the client'),
  'postgres.failed': (_, step) => bad(`the server refused them: ${serverSays(step)}`),
  'probe.answered': probeAnswered,
  'realtime.connect': 'the app connected',
  'realtime.disconnect': 'the app disconnected',
  'refresh.automatic': (_, { event }) =>
    event['automatic'] === false
      ? 'the app turned automatic refreshes off'
      : 'the app turned automatic refreshes on',
  'refresh.failed': refreshFailed,
  'refresh.request': 'the app asked for a new token',
  'request.abort': 'the app canceled it',
  'request.start': requestStarted,
  'resync.failed': (_, step) => bad(`reloading the rows failed: ${serverSays(step)}`),
  'revoke.failed': failing(AUTH),
  'rows.deleted': 'the backend deleted the rows',
  'rows.refused': () => bad('the backend refused it'),
  'send.answered': answered,
  'send.failed': sendFailed,
  'session.commit': 'the app changed the session or the user',
  'session.signIn': 'you signed in',
  'session.signOut': signOut,
  'session.storeFailed': failing('the storage'),
  'session.verify': 'the app asked for the user',
  'socket.closed': closed,
  'socket.silent': () => bad('a heartbeat had no response'),
  'socket.stale': 'the token was due, so it is refreshed first',
  'stored.changed': storedChanged,
  'stored.corrupt': () => bad('the stored session could not be read'),
  'stored.found': storedFound,
  'stored.none': (history, step) =>
    history.src(step) === 'attempt' ? bad('the stored session was removed') : 'no session is stored',
  'topic.closed': (history, step, effect) =>
    bad(`the server closed ${itOrName(history, step, effect)}: ${serverSays(step)}`),
  'topic.refused': (history, step, effect) =>
    bad(`the server refused ${itOrName(history, step, effect)}: ${serverSays(step)}`),
  'transfer.conflicted': 'a file of this name exists',
  'transfer.done': 'the server stored it',
  'transfer.failed': failing('the backend'),
  'upload.command': uploadCommand,
  'uploads.add': uploadAdded,
  'url.failed': failing(AUTH),
  'url.foreign': 'it contains a sign-in that is not this app’s',
  'url.mismatch': failing(AUTH),
  'url.none': 'the stored session is still being read',
  'url.verifierMissing': failing(AUTH),
  'user.failed': failing(AUTH),
  'write.conflicted': () => bad('another user changed the same cells'),
  'write.failed': (_, { event }) =>
    bad(event['retry'] === true ? 'there was no response' : 'the backend refused it'),
  'write.saved': 'the backend stored it',
  'xstate.init': (_, __, effect) => failureAtEffect(effect) ?? 'the app was started',
  'xstate.stop': 'the app disposed of the client',
}

function bodyFailed(...[, step]: Parameters<Clause>): Reason {
  const failure = failureOf(step)
  return bad(
    failure?.kind === 'network'
      ? 'the connection broke before the response was complete'
      : `the response broke off: ${failure ? failureInWords(failure) : 'it failed'}`,
  )
}

function sendFailed(history: History, step: StepRecord, effect: StepRecord): Reason {
  const failure = failureOf(step)
  const text = failure ? failureInWords(failure) : 'it failed'
  const isOffline = failure?.kind === 'network' && offlineSince(history, step) !== undefined
  const name = effect.actor === step.actor ? '' : `${nameOf(history, step)} failed: `
  return bad(`${name}${isOffline ? 'the device is offline' : text}`)
}

/** The step in which the device went offline, if it was offline at this step. */
export function offlineSince(history: History, step: StepRecord): StepRecord | undefined {
  const client = history.actorAt('client')
  const last = history.find(client, ({ event }) => event.type === 'environment.changed', step.seq)
  return last && last.event['online'] === false ? last : undefined
}

function requestStarted(history: History, step: StepRecord, effect: StepRecord): Reason {
  const info = at(step.event, 'info')
  const name = `${textAt(info, 'method') ?? ''} ${withoutQuery(textAt(info, 'path') ?? '')}`.trim()
  const code = textAt(effect.context, 'failure', 'code')
  if (effect.actor !== step.actor && history.src(effect) === 'request') {
    if (code === 'superseded') return { text: `a newer request, ${name}, replaced it` }
    const failure = failureAtEffect(effect)
    if (failure !== undefined) return bad(failure)
    if (isIn('queued')(effect.value)) {
      const limit = numberAt(effect.context, 'timings', 'maxConcurrent') ?? 0
      return { text: `${limit} requests are being sent, and no more are sent at once` }
    }
    return { text: 'the app sent it' }
  }
  return { text: `the request ${name} needed it` }
}

const failureAtEffect = ({ context }: StepRecord): string | undefined => {
  const failure = failureOf({ event: { type: '', failure: at(context, 'failure') } } as never)
  return failure && failureInWords(failure)
}

function uploadCommand(_: History, { event }: StepRecord): Reason {
  const type = textAt(event, 'command', 'type') ?? ''
  const words: Readonly<Record<string, string>> = {
    'upload.pause': 'you paused it',
    'upload.resume': 'you continued it',
    'upload.cancel': 'you canceled it',
    'upload.retry': 'you started it again',
    'upload.answer': 'you decided about the file of the same name',
  }
  return { text: words[type] ?? 'you changed it' }
}

function uploadAdded(_: History, __: StepRecord, effect: StepRecord): Reason {
  const failure = failureAtEffect(effect)
  return failure === undefined ? { text: 'you added it' } : bad(failure)
}

/** The clause of an event of the client or the workbench; undefined for an unknown one. */
export function clientReason(history: History, step: StepRecord, effect: StepRecord): Reason | undefined {
  const { type } = step.event
  if (type.startsWith('xstate.after.')) {
    const text = timeoutInWords(history, step)
    return text === undefined ? undefined : { text, isBad: true }
  }
  const clause = Object.hasOwn(REASONS, type) ? REASONS[type] : undefined
  if (clause === undefined) return undefined
  const reason = typeof clause === 'string' ? clause : clause(history, step, effect)
  return typeof reason === 'string' ? { text: reason } : reason
}
