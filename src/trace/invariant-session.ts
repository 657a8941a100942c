// Invariants of the session: one refresh at a time, and no end without the user's will or a terminal answer.
import { at, isIn, numberAt, textAt, type Report, type Rule, type Step } from './invariant-steps.ts'

/** At most one refresh in flight. */
export function oneRefresh(report: Report): Rule {
  const inFlight = new Set<object>()
  return {
    step({ actor, status }) {
      if (actor.src !== 'refreshToken') return
      if (status !== 'active') inFlight.delete(actor)
      else if (inFlight.size > 0 && !inFlight.has(actor))
        report(actor, 'A refresh began while another of the same session was in flight.')
      if (status === 'active') inFlight.add(actor)
    },
  }
}

const BY_USER: ReadonlySet<unknown> = new Set(['userLocal', 'userGlobal'])
const BY_STORAGE: ReadonlySet<unknown> = new Set(['storageCleared', 'otherTab'])
const BY_SERVER: ReadonlySet<unknown> = new Set([
  'remoteRevoked',
  'notFound',
  'reuseDetected',
  'inactivity',
  'timebox',
  'newerLogin',
  'lowAal',
  'banned',
])

/** What may end a session, as far as it was seen since the session began. */
interface Evidence {
  willed: boolean
  refused: boolean
  storage: boolean
}

/** A session ends only by the user's will or a terminal answer, with its reason. */
export function endsForAReason(report: Report): Rule {
  let held: { readonly userId: string | undefined } | undefined
  let seen: Evidence = { willed: false, refused: false, storage: false }
  return {
    step(step) {
      const { actor, event, status } = step
      note(seen, step, held?.userId)
      if (actor.src !== 'session' || status !== 'active') return
      const userId = textAt(actor.context, 'token', 'user', 'id')
      if (isIn(actor.value, 'authenticated')) {
        if (held && held.userId !== userId && !seen.storage && event.type !== 'auth.succeeded')
          report(actor, 'The session became that of another user, and nothing said so.')
        if (!held) seen = { willed: false, refused: false, storage: false }
        held = { userId }
      } else if (held && isIn(actor.value, 'signedOut', 'booting', 'authenticating')) {
        const wrong = complaint(at(actor.context, 'reason'), seen)
        if (wrong !== undefined) report(actor, wrong)
        held = undefined
      }
    },
  }
}

function note(seen: Evidence, { actor, event }: Step, userId: string | undefined): void {
  const { type } = event
  if (actor.src === 'session' && type === 'session.signOut') seen.willed = true
  if (type === 'stored.changed' || type === 'stored.none') seen.storage = true
  if (type === 'stored.found' && textAt(event, 'token', 'user', 'id') !== userId) seen.storage = true
  const status = numberAt(event, 'failure', 'status') ?? 0
  if (status >= 400 && status < 500 && status !== 408 && status !== 429) seen.refused = true
}

function complaint(reason: unknown, { willed, refused, storage }: Evidence): string | undefined {
  if (BY_USER.has(reason))
    return willed ? undefined : `The session ended as "${String(reason)}", but the user had not asked for it.`
  if (BY_SERVER.has(reason))
    return refused
      ? undefined
      : `The session ended as "${String(reason)}", but no answer of the server was terminal.`
  if (BY_STORAGE.has(reason))
    return storage
      ? undefined
      : `The session ended as "${String(reason)}", but nobody had touched the storage.`
  return `The session ended without a reason that may end one ("${String(reason)}").`
}
