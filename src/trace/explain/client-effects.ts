// How a person says what an actor of the client did or is, and what follows: by the machine and its state.
import { numberAt, textAt } from '../event-values.ts'
import type { StepRecord } from '../format/records.ts'
import { nameOf, subjectOf } from './client-subjects.ts'
import { failureAt } from './failure-words.ts'
import { type History, isIn } from './history.ts'
import type { Effect } from './vocabulary.ts'
import { durationInWords, upperFirst } from './words.ts'

/** Rows of a table: the state's path, the clause after the subject, and what follows. */
type StateRow = readonly [path: string, clause: string, next?: string]

const RETRY = '{retry}'
const ONLINE = 'It continues when the device is online again.'
const CHOOSE = 'You decide whether to retry or to discard it.'

/** By machine; the first row whose state is active applies. */
const STATES: Readonly<Record<string, readonly StateRow[]>> = {
  request: [
    ['checkingGate', 'was started'],
    ['awaitingToken', 'waits for a live token', 'It is sent as soon as there is a token.'],
    ['queued', 'waits for its turn', 'It is sent as soon as another request has a response.'],
    ['exchanging.slow', 'takes long'],
    ['exchanging.receiving', 'receives its response'],
    ['exchanging', 'was sent'],
    ['reauthorizing', 'waits for a new token', 'It is sent again with a new token.'],
    ['backingOff', 'will be sent again', RETRY],
    ['answered', 'was answered'],
    ['failed', 'failed'],
  ],
  channel: [
    ['membership.attached.joined', 'is joined'],
    ['membership.attached.joining', 'is being joined'],
    ['membership.waitingForConnection', 'waits for the connection'],
    ['membership.awaitingToken', 'waits for a live token'],
    ['membership.backingOff', 'is not joined', 'It joins again: {retry}'],
    [
      'membership.denied',
      'was denied',
      'Check the policies of the topic; another token or another join tries again.',
    ],
  ],
  connection: [
    ['attached.open', 'is open'],
    ['attached.hidden', 'is open in a hidden page'],
    ['attached.lingering', 'closes soon'],
    ['attached.probing', 'is being checked'],
    ['attached.connecting', 'is being opened'],
    ['awaitingToken', 'waits for a live token', 'It opens as soon as there is a token.'],
    ['reauthBeforeReconnect', 'waits for a new token'],
    ['backingOff', 'is down', 'It connects again: {retry}'],
    ['denied', 'was denied', '{denied}'],
    ['suspended', 'is suspended', 'It connects again when the device is online and the page is visible.'],
    ['idle', 'is closed'],
  ],
  upload: [
    ['sending.stalled', 'is stuck', 'It is aborted after a minute without progress.'],
    ['sending', 'is being sent'],
    ['checkingName', 'checks the name'],
    ['asking', 'waits for a decision', 'Replace the file, keep both, or skip this one.'],
    ['paused', 'waits', 'It continues when you resume it.'],
    ['ready', 'waits for its turn'],
    ['backingOff', 'will be sent again', RETRY],
    ['waitingForNetwork', 'waits for the network', ONLINE],
    ['done', 'is uploaded'],
    ['failed', 'failed', 'You can retry it.'],
    ['skipped', 'was skipped'],
    ['canceled', 'ended'],
  ],
  session: [
    ['booting', 'is being read'],
    ['signedOut.revokeFailed', 'ended here, but it was not revoked on the server'],
    ['signedOut', 'is over', 'Sign in again.'],
    ['authenticating', 'is being started'],
    ['authenticated.token.delayed', 'continues; its token could not be refreshed yet'],
    ['authenticated', 'is active'],
    ['ending', 'ended'],
    ['signingOut', 'ended'],
  ],
  refresh: [
    ['idle', 'is not needed'],
    ['active.schedule.inFlight', 'is under way'],
    ['active.schedule.waiting', 'is not due yet'],
    ['active.schedule.paused', 'is paused'],
    ['active.schedule.backingOff', 'failed', RETRY],
    ['active.schedule.rateLimited', 'waits', RETRY],
    ['active.schedule.breakerOpen', 'waits for a minute'],
    ['active.schedule.refused', 'was refused'],
  ],
  apiKey: [
    ['accepted', 'is accepted'],
    ['trusted', 'is accepted'],
    ['checking', 'is being checked'],
    ['rejected', 'is not accepted', 'Enter the current publishable key.'],
  ],
  tab: [
    ['awake.competing.leader', 'refreshes the token for all tabs'],
    ['awake.competing.follower', 'leaves the refresh to another tab'],
    ['awake.competing.electing', 'asks which tab refreshes the token'],
    ['awake.yielded', 'leaves the refresh to other tabs'],
    ['awake.alone', 'refreshes the token on its own'],
    ['frozen', 'is frozen'],
  ],
  rowEdit: [
    ['queued', 'waits for its turn'],
    ['sending', 'is being sent'],
    ['blocked.backingOff', 'is not saved yet', 'It is sent again in a few seconds.'],
    ['blocked.refused', 'is not saved', 'Change the value, retry it or discard it.'],
    ['blocked.conflict', 'is in conflict', 'Keep your value, the other user’s or the original.'],
    ['saved', 'is saved'],
    ['canceled', 'was discarded'],
  ],
  rowEdits: [
    ['paused', 'is paused', 'It continues when the user is signed in and the table is known.'],
    ['active', 'is active'],
  ],
  rowDeletion: [
    ['undoable', 'can be undone'],
    ['sending', 'is being sent'],
    ['refused', 'was not carried out', CHOOSE],
    ['canceled', 'was undone'],
    ['done', 'was sent'],
  ],
  rowImport: [
    ['backingOff', 'waits', RETRY],
    [
      'unconfirmed',
      'may or may not have written its rows',
      'Check the table, then send the rows again or skip them.',
    ],
    ['paused', 'is paused', 'It continues when you resume it.'],
    ['refused', 'was refused; no rows were written'],
    ['canceled', 'was canceled; rows that were written are kept'],
    ['done', 'is done'],
  ],
  rowComparison: [
    ['backingOff', 'waits', RETRY],
    ['recheckBackingOff', 'waits', RETRY],
    ['partial', 'is incomplete'],
    ['unconfirmed', 'is not confirmed'],
    ['canceled', 'ended'],
    ['done', 'is done'],
  ],
  attempt: [
    ['locked.locking', 'waits for the lock of the session'],
    ['lockLost', 'takes over the lock of the session'],
    ['locked.refreshing', 'waits for the auth server'],
    ['locked.verifying', 'checks what other tabs stored'],
    ['done', 'ended'],
  ],
}

const GOOD = /(?:joined|open|done|saved|active|accepted|trusted|leader)$/

/** The row of the actor's state; undefined for machines and states that the table does not name. */
function stateRow(history: History, step: StepRecord): StateRow | undefined {
  const src = history.src(step)
  const rows = Object.hasOwn(STATES, src) ? STATES[src] : undefined
  return rows?.find(([path]) => isIn(path)(step.value))
}

/** The main clause about an actor's state. */
export function stateEffect(history: History, step: StepRecord): Effect | undefined {
  if (step.event.type === 'xstate.stop') return { text: `${subjectOf(history, step)} was stopped` }
  const row = stateRow(history, step)
  if (!row) return undefined
  const [path, clause] = row
  if (path === 'answered') return answeredEffect(history, step)
  if (history.src(step) === 'upload' && path === 'done')
    return { text: `${nameOf(history, step).replace(/^the upload of /, '')} was uploaded`, isGood: true }
  if (
    history.src(step) === 'request' &&
    path === 'failed' &&
    textAt(step.context, 'failure', 'code') === 'by_app'
  )
    return { text: `${subjectOf(history, step)} was canceled` }
  if (step.event.type === 'refresh.failed' && path === 'done')
    return { text: `${subjectOf(history, step)} failed` }
  return { text: `${subjectOf(history, step)} ${clause}`, isGood: GOOD.test(path) }
}

function answeredEffect(history: History, step: StepRecord): Effect {
  const status = numberAt(step.context, 'status') ?? 0
  const subject = subjectOf(history, step)
  if (status < 400) return { text: `${subject} succeeded`, isGood: true }
  return { text: `${subject} ${status >= 500 ? 'failed' : 'was refused'}` }
}

/** What follows, or what helps. */
export function stateNext(history: History, effect: StepRecord): string | undefined {
  const [, , next] = stateRow(history, effect) ?? []
  const refusal = textAt(effect.context, 'refusal') ?? textAt(effect.context, 'probeResponse', 'refusal')
  if (refusal?.startsWith('key') === true) return 'Enter the current publishable key.'
  if (next === '{denied}') return 'A new token, or time, may help.'
  return next === undefined ? undefined : upperFirst(next.replace(RETRY, retryOf(history, effect)))
}

/** When the next attempt follows. */
function retryOf(history: History, effect: StepRecord): string {
  const now = history.latest(effect.actor)
  const delay = numberAt(effect.context, 'delay') ?? numberAt(now?.context, 'delay')
  const failure = failureAt(effect.context, 'failure')
  const wait = delay ?? (failure?.retryAfter ?? 0) * 1_000
  return `the next attempt follows after ${durationInWords(wait)}.`
}
