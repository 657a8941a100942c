// The evidence of an answer: what the steps from the reason to the effect show.
import { numberAt, textAt } from '../event-values.ts'
import type { StepRecord } from '../format/records.ts'
import type { Evidence } from './answer.ts'
import { offlineSince, otherTabBefore } from './client-reasons.ts'
import { requestOf } from './client-subjects.ts'
import { deviceChange } from './device.ts'
import { failureAt, failureEvidence, failureOf, faultEvidence } from './failure-words.ts'
import { type History, isStart } from './history.ts'
import { isSilent, refusedTransitions } from './silence.ts'
import { errorIn, isNamed } from './stranger-vocabulary.ts'
import { timerDelay } from './timers.ts'

/** Of a chain: everything that its reason shows, and timers, faults and guards on the way. */
export function evidenceOf(
  history: History,
  steps: readonly StepRecord[],
  isOwn: boolean,
): readonly Evidence[] {
  const [reason, ...rest] = steps
  const effect = steps.at(-1)
  if (!reason || !effect) return []
  return [
    ...(isOwn ? clientEvidence(history, reason) : []),
    ...originEvidence(history, reason, isOwn),
    ...rest.flatMap(step => wayEvidence(history, step, isOwn)),
    ...(isOwn ? effectEvidence(reason, effect) : guardEvidence(history, effect)),
  ]
}

/** A timer on the way to the effect. */
function wayEvidence(history: History, step: StepRecord, isOwn: boolean): Evidence[] {
  const { seq, event } = step
  if (history.isTimer(step)) return [timer(history, step)]
  if (history.isFromLeaf(step)) {
    const failure = failureOf(step)
    if (failure) return failureEvidence(seq, failure)
  }
  if (isOwn || step.from === undefined || event.type.startsWith('xstate.')) return []
  return [{ step: seq, kind: 'event', event: event.type, from: history.path({ actor: step.from }) }]
}

const timer = (history: History, step: StepRecord): Evidence => {
  const delay = timerDelay(history, step)
  return { step: step.seq, kind: 'timer', ...(delay !== undefined && { delay }) }
}

/** Where the reason came from. */
function originEvidence(history: History, step: StepRecord, isOwn: boolean): Evidence[] {
  const { seq, event, from } = step
  if (isStart(step)) return [{ step: seq, kind: 'start' }]
  if (history.isTimer(step)) return [timer(history, step)]
  if (event.type === 'clock.tick') return [{ step: seq, kind: 'timer' }]
  if (event.type.startsWith('xstate.promise.resolve'))
    return [{ step: seq, kind: 'result', actor: history.path(step) }]
  if (step.status === 'error') {
    const message = errorIn(step)
    return [
      { step: seq, kind: 'error', actor: history.path(step), ...(message !== undefined && { message }) },
    ]
  }
  if (from !== undefined)
    return isOwn ? [] : [{ step: seq, kind: 'event', event: event.type, from: history.path({ actor: from }) }]
  return [{ step: seq, kind: 'command', event: event.type }]
}

function clientEvidence(history: History, step: StepRecord): Evidence[] {
  const { seq, event } = step
  const failure = failureOf(step)
  const failures = failure ? failureEvidence(seq, failure) : []
  switch (event.type) {
    case 'send.answered':
      return [responseEvidence(history, step), ...faultEvidence(seq, textAt(event, 'faultId'))]
    case 'probe.answered':
      return [{ step: seq, kind: 'response', status: numberAt(event, 'status') ?? 0 }]
    case 'send.failed': {
      const change = failure?.kind === 'network' ? offlineSince(history, step) : undefined
      return [
        ...failures,
        ...(change ? [{ step: change.seq, kind: 'device', change: 'offline' } as const] : []),
      ]
    }
    case 'refresh.failed': {
      const change =
        failure?.code === 'refresh_token_already_used' ? otherTabBefore(history, step) : undefined
      return [
        ...failures,
        ...(change ? [{ step: change.seq, kind: 'otherTab', change: 'written' } as const] : []),
      ]
    }
    case 'environment.changed':
    case 'environment.woke': {
      const change = deviceChange(history, step)
      return change ? [{ step: seq, kind: 'device', change }] : []
    }
    case 'stored.changed': {
      const change = event['what'] === 'removed' ? 'removed' : 'written'
      return [
        event['by'] === 'otherTab'
          ? { step: seq, kind: 'otherTab', change }
          : { step: seq, kind: 'storage', content: change },
      ]
    }
    case 'stored.found':
      return [{ step: seq, kind: 'storage', content: 'session' }]
    case 'stored.none':
      return [{ step: seq, kind: 'storage', content: 'nothing' }]
    case 'stored.corrupt':
      return [{ step: seq, kind: 'storage', content: 'unreadable' }]
    case 'socket.closed':
      return [
        { step: seq, kind: 'socket', ...(typeof event['code'] === 'number' && { code: event['code'] }) },
      ]
    case 'topic.refused':
    case 'topic.closed':
    case 'postgres.failed':
      return [{ step: seq, kind: 'channel', reason: textAt(event, 'reason') ?? '' }]
    default:
      return failures
  }
}

function responseEvidence(history: History, step: StepRecord): Evidence {
  const retryAfter = numberAt(step.event, 'retryAfter')
  return {
    step: step.seq,
    kind: 'response',
    status: numberAt(step.event, 'status') ?? 0,
    ...requestOf(history, step),
    ...(retryAfter !== undefined && { retryAfter }),
  }
}

/** A failure that the client found itself, without an event that reports one. */
function effectEvidence(reason: StepRecord, effect: StepRecord): Evidence[] {
  const failure = failureAt(effect.context, 'failure')
  return failure && !failureOf(reason) && failure.status === undefined
    ? failureEvidence(effect.seq, failure)
    : []
}

function guardEvidence(history: History, effect: StepRecord): Evidence[] {
  const isRefused = isSilent(history, effect)
  const transitions = isRefused ? refusedTransitions(history, effect) : history.taken(effect)
  return transitions.flatMap(({ guard }) =>
    guard !== undefined && isNamed(guard)
      ? [{ step: effect.seq, kind: 'guard' as const, guard, holds: !isRefused }]
      : [],
  )
}
