// Invariants of coming to rest: nothing outlives what owns it, and after the last fault all comes right in time.
import {
  at,
  isIn,
  numberAt,
  stateName,
  type Followed,
  type Report,
  type Rule,
  type Step,
} from './invariant-steps.ts'

/** No work outlives dispose, nor an actor the one that it works for. */
export function nothingOutlives(report: Report): Rule {
  const ended: Followed[] = []
  const gone = new WeakSet<Followed>()
  return {
    step({ actor, status }) {
      const owner = actor.parent
      if (status !== 'active') {
        ended.push(actor)
        gone.add(actor)
      } else if (gone.has(actor)) report(actor, 'It took a step after its own end.')
      else if (owner && gone.has(owner) && !ended.includes(owner))
        report(actor, `It took a step after ${owner.path} had ended.`)
    },
    between() {
      for (const actor of ended.splice(0)) {
        if (!actor.isActive && actor.children > 0)
          report(actor, `It ended and left ${actor.children} of its actors running.`)
      }
    },
  }
}

/** Events after which everything may take its time again: faults, wishes, and news of the device. */
const STIRS: ReadonlySet<string> = new Set([
  'port.broken',
  'socket.closed',
  'socket.silent',
  'topic.refused',
  'topic.closed',
  'postgres.failed',
  'environment.changed',
  'environment.woke',
  'session.signIn',
  'session.signOut',
  'session.commit',
  'stored.changed',
  'tab.role',
  'breaker.opened',
  'channel.join',
  'channel.leave',
  'realtime.connect',
  'chartroom.present',
])

/** After any finite series of faults followed by calm: authenticated, open and joined within a stated bound. */
export function comesToCalm(report: Report, calmWithin: number): Rule {
  const restless = new Map<Followed, string>()
  let quietSince = 0
  let isDisturbed = false
  return {
    step(step) {
      const { actor, event, awake } = step
      if (event.type === 'environment.changed')
        isDisturbed =
          at(event, 'online') === false || at(event, 'visible') === false || at(event, 'frozen') === true
      quietSince = Math.max(quietSince, isDisturbed ? awake : stirredUntil(step))
      const unrest = unrestOf(actor)
      if (unrest === undefined) restless.delete(actor)
      else if (!restless.has(actor)) restless.set(actor, unrest)
      if (restless.size === 0) quietSince = Math.max(quietSince, awake)
      if (awake - quietSince <= calmWithin) return
      for (const [one] of restless)
        report(
          one,
          `${Math.round((awake - quietSince) / 1000)} s after the last fault ${unrestOf(one) ?? ''}.`,
        )
      quietSince = awake
    },
  }
}

/** Until when a step is an excuse for not being at rest. */
function stirredUntil({ event, awake }: Step): number {
  const { type } = event
  const failure = at(event, 'failure')
  const patience = (numberAt(failure, 'retryAfter') ?? numberAt(event, 'retryAfter') ?? 0) * 1000
  const status = numberAt(event, 'status') ?? 0
  const isRefused = type === 'send.answered' && (status === 401 || status === 429 || status >= 500)
  // A deadline that ran out: somebody kept silent.
  const isSilence = /^xstate\.after\..*Timeout/.test(type)
  return failure !== undefined || isRefused || isSilence || STIRS.has(type) ? awake + patience : 0
}

const UNREST: Readonly<Record<string, (actor: Followed) => boolean>> = {
  session: ({ value }) =>
    !isIn(value, 'signedOut') &&
    (!isIn(value, 'authenticated') || isIn(value, 'expired', 'offlineExpired', 'rereading')),
  connection: ({ value }) => !isIn(value, 'idle', 'denied') && !isIn(value, 'open'),
  channel: ({ value, parent }) =>
    !isIn(value, 'denied') &&
    !isIn(parent?.value, 'disconnected') &&
    (!isIn(value, 'joined') || isIn(value, 'subscribing', 'pending', 'retrying', 'gap', 'resyncing')),
}

function unrestOf(actor: Followed): string | undefined {
  const isRestless = actor.isActive && Object.hasOwn(UNREST, actor.src) && UNREST[actor.src]?.(actor)
  return isRestless ? `it is still in ${stateName(actor.value)}` : undefined
}
