// Invariants of requests: none goes out for a user without a live token, and each settles exactly once.
import {
  at,
  isIn,
  numberAt,
  textAt,
  type Followed,
  type Report,
  type Rule,
  type Step,
} from './invariant-steps.ts'

interface Life {
  readonly expiresAt: number
  readonly userId: string | undefined
}

/** Of the tokens that came by, those that may still be of use. */
const KEPT_TOKENS = 8

/** No user request is sent without a live token. */
export function liveToken(report: Report, timerLag: number): Rule {
  const tokens = new Map<string, Life>()
  /** Requests of which is known as whom they go out; that does not change any more. */
  const decided = new WeakSet<Followed>()
  let session: Followed | undefined
  /** The client's monotonic clock less the time of the trace; a lower bound until a tick tells it. */
  let offset = -Infinity
  return {
    step({ actor, event, isFirst, status, t }) {
      if (actor.src === 'session') session = actor
      if (event.type === 'clock.tick') offset = (numberAt(event, 'at') ?? t + offset) - t
      const token = at(event, 'token')
      const id = textAt(token, 'id')
      const expiresAt = numberAt(token, 'expiresAt')
      if (id !== undefined && expiresAt !== undefined && !tokens.has(id)) {
        tokens.set(id, { expiresAt, userId: textAt(token, 'user', 'id') })
        offset = Math.max(offset, (numberAt(token, 'heldSince') ?? -Infinity) - t)
        const [oldest] = tokens.keys()
        if (tokens.size > KEPT_TOKENS && oldest !== undefined) tokens.delete(oldest)
      }
      const identity = actor.src === 'request' ? textAt(actor.context, 'identity') : undefined
      if (identity !== undefined && !decided.has(actor)) {
        decided.add(actor)
        if (identity === 'anonymous' && !isPublic(actor) && isIn(session?.value, 'authenticated'))
          report(actor, 'The request goes out as nobody while somebody is signed in.')
      }
      if (actor.src !== 'send' || !isFirst || status !== 'active' || !actor.parent) return
      const wrong = isPublic(actor.parent)
        ? undefined
        : complaint(actor.parent.context, tokens, t + offset - timerLag)
      if (wrong !== undefined) report(actor.parent, wrong)
    },
  }
}

const isPublic = ({ context }: Followed) => at(context, 'info', 'access') === 'public'

function complaint(context: unknown, tokens: ReadonlyMap<string, Life>, now: number): string | undefined {
  const identity = textAt(context, 'identity')
  const sentWith = textAt(context, 'sentWith')
  if (identity === undefined) return 'The request was sent before it was known as whom.'
  if (identity === 'anonymous')
    return sentWith === undefined ? undefined : 'A request of nobody was sent with a token.'
  if (sentWith === undefined) return 'The request of a user was sent without a token.'
  if (sentWith === textAt(context, 'rejected'))
    return `The request was sent again with ${sentWith}, which the server had refused.`
  const token = tokens.get(sentWith)
  if (!token) return undefined
  if (token.userId !== undefined && token.userId !== identity)
    return `The request of one user was sent with ${sentWith} of another.`
  if (now < token.expiresAt) return undefined
  return `The request of a user was sent with ${sentWith}, which had expired ${Math.round(now - token.expiresAt)} ms before.`
}

interface Asked {
  readonly since: number
  readonly within: number
}

/** Each request settles exactly once, and in time. */
export function settlesOnce(report: Report, settlesWithin: number): Rule {
  const open = new Map<string, Asked>()
  let stopped: { readonly actor: Followed; readonly id: string } | undefined
  return {
    step(step) {
      const { actor, event, status, awake } = step
      if (!actor.parent) {
        follow(step, open, settlesWithin, why => report(actor, why))
        if (status === 'active') complainOfOverdue(open, awake, why => report(actor, why))
      } else if (actor.src === 'request' && status !== 'active' && status !== 'done') {
        const id = textAt(actor.context, 'info', 'id')
        if (id !== undefined && rootOf(actor).isActive) stopped = { actor, id }
      } else if (actor.src === 'requests' && event.type === 'chartroom.present') {
        for (const id of Object.keys(at(actor.context, 'requests') ?? {}))
          open.set(id, { since: awake, within: settlesWithin })
      }
    },
    between() {
      if (stopped && open.has(stopped.id) && rootOf(stopped.actor).isActive)
        report(stopped.actor, `Request ${stopped.id} was dropped and never settled.`)
      stopped = undefined
    },
  }
}

function follow(
  { event, awake }: Step,
  open: Map<string, Asked>,
  settlesWithin: number,
  tell: (why: string) => void,
): void {
  if (event.type === 'request.start') {
    const id = textAt(event, 'info', 'id') ?? ''
    if (open.has(id)) tell(`Request ${id} was started twice.`)
    open.set(id, { since: awake, within: settlesWithin + (numberAt(event, 'info', 'deadline') ?? 0) })
  } else if (event.type === 'request.settled') {
    const id = textAt(event, 'output', 'id') ?? ''
    if (!open.delete(id)) tell(`Request ${id} settled without being open: a second time, or never asked for.`)
  }
}

/** Requests stand in the order in which they were asked for, so the first is the oldest. */
function complainOfOverdue(open: Map<string, Asked>, awake: number, tell: (why: string) => void): void {
  for (const [id, { since, within }] of open) {
    if (awake - since > within) {
      open.delete(id)
      tell(`Request ${id} has not settled in ${Math.round((awake - since) / 1000)} s.`)
    }
    return
  }
}

function rootOf(actor: Followed): Followed {
  let root = actor
  while (root.parent) root = root.parent
  return root
}
