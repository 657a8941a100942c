// Invariants of requests: none is sent for a user without a live token, and each settles exactly once.
import { alternates, and, atRest, closes, never, watch } from '../assert/build.ts'
import type { Comparisons, Formula, Key, Pattern, Span } from '../assert/language.ts'
import type { ObservedStep } from '../assert/steps.ts'
import { at, numberAt, textAt } from '../event-values.ts'

interface Life {
  readonly expiresAt: number
  readonly userId: string | undefined
}

/** Number of recent tokens that may still be in use. */
const KEPT_TOKENS = 8

/** The known tokens, and the client's monotonic clock as seen in the trace. */
class TokenBook {
  readonly #tokens = new Map<string, Life>()
  /** The client's clock minus the trace time; a lower bound until a tick reports it. */
  #offset = -Infinity

  readonly note = ({ event, t }: ObservedStep): void => {
    if (event.type === 'clock.tick') this.#offset = (numberAt(event, 'at') ?? t + this.#offset) - t
    const { token } = event
    if (token === undefined) return
    const id = textAt(token, 'id')
    const expiresAt = numberAt(token, 'expiresAt')
    if (id === undefined || expiresAt === undefined || this.#tokens.has(id)) return
    this.#tokens.set(id, { expiresAt, userId: textAt(token, 'user', 'id') })
    this.#offset = Math.max(this.#offset, (numberAt(token, 'heldSince') ?? -Infinity) - t)
    const [oldest] = this.#tokens.keys()
    if (this.#tokens.size > KEPT_TOKENS && oldest !== undefined) this.#tokens.delete(oldest)
  }

  /** Milliseconds since the token of a sent request expired. */
  readonly deadFor = (step: ObservedStep): number =>
    step.t + this.#offset - (this.#sentWith(step)?.expiresAt ?? Infinity)

  readonly isOfAnother = (step: ObservedStep): boolean => {
    const userId = this.#sentWith(step)?.userId
    return userId !== undefined && userId !== textAt(step.actor.parent?.context, 'identity')
  }

  readonly #sentWith = ({ actor }: ObservedStep): Life | undefined =>
    this.#tokens.get(textAt(actor.parent?.context, 'sentWith') ?? '')
}

const notPublic: Comparisons = { 'info.access': { isNot: 'public' } }
/** A request that requires an identity is sent. */
const sent = (context: Comparisons) =>
  ({
    src: 'send',
    status: 'active',
    first: true,
    parent: { context: { ...notPublic, ...context } },
  }) as const
const nobody = { identity: 'anonymous' } as const
const user: Comparisons = { identity: { exists: true, isNot: 'anonymous' }, sentWith: { exists: true } }

const byUser = sent(user)
const about = 'parent' as const

/** Checks on the request alone. */
const wellSent = [
  never(
    {
      src: 'request',
      was: { context: { identity: { exists: false } } },
      context: { ...nobody, ...notPublic },
      some: { src: 'session', state: 'authenticated' },
    },
    { says: 'The request is sent anonymously while a user is signed in.' },
  ),
  never(sent({ identity: { exists: false } }), {
    about,
    says: 'The request was sent before its identity was known.',
  }),
  never(sent({ ...nobody, sentWith: { exists: true } }), {
    about,
    says: 'An anonymous request was sent with a token.',
  }),
  never(sent({ ...user, sentWith: { exists: false } }), {
    about,
    says: 'A user request was sent without a token.',
  }),
  never(sent({ ...user, sentWith: { is: { ref: 'parent.context.rejected' } } }), {
    about,
    says: 'The request was sent again with {parent.context.sentWith}, which the server had rejected.',
  }),
]

/** No user request is sent without a live token. */
export const liveToken = (timerLag: number) => (): Formula => {
  const book = new TokenBook()
  const hasExpired: Pattern = step => book.deadFor(step) >= timerLag
  return and(
    watch(() => book.note),
    ...wellSent,
    never(
      { all: [byUser, book.isOfAnother] },
      { about, says: 'The request of one user was sent with {parent.context.sentWith} of another.' },
    ),
    never(
      { all: [byUser, { not: book.isOfAnother }, hasExpired] },
      {
        about,
        says: ({ step, actor }) =>
          `A user request was sent with ${textAt(actor.context, 'sentWith')}, which had expired ${Math.round(book.deadFor(step) - timerLag)} ms earlier.`,
      },
    ),
  )
}

/** A recording that starts on a running system lists the requests in progress. */
const present = { src: 'requests', event: 'chartroom.present' } as const
const idsOf: Key = ({ event, context }) =>
  event.type === present.event ? Object.keys(at(context, 'requests') ?? {}) : textAt(event, 'info', 'id')

const started = (deadline: { readonly exists: boolean }) =>
  ({ root: true, event: 'request.start', with: { 'info.deadline': deadline } }) as const
const settled = { root: true, event: 'request.settled' } as const
const answered = { root: true, event: 'request.receiving' } as const
/** From here on, the response may take any time. */
const slow = { src: 'requests', event: 'request.slow' } as const
const settledId = 'event.output.id'

const asked: Span = {
  from: { any: [{ root: true, event: 'request.start' }, present] },
  to: settled,
  by: [idsOf, settledId],
}
const isSlow = (request: unknown): boolean => textAt(request, 'phase') === 'slow'
const awaitedIdsOf: Key = step =>
  step.event.type === present.event
    ? Object.entries(at(step.context, 'requests') ?? {}).flatMap(([id, request]) =>
        isSlow(request) ? [] : [id],
      )
    : idsOf(step)
/** A deadline set by the app covers the whole body. */
const pressed: Span = { from: started({ exists: true }), to: settled, by: [idsOf, settledId] }
/**
 * Without one, only the response headers are awaited: a streaming body may continue as long as it progresses.
 */
const unpressed: Span = {
  from: { any: [started({ exists: false }), present] },
  to: { any: [settled, answered, slow] },
  by: [awaitedIdsOf, ({ event }) => textAt(event, 'output', 'id') ?? textAt(event, 'id')],
}
const disposed = { root: true, status: ['done', 'error', 'stopped'] } as const

/** Bytes per millisecond of a slow connection on which a large body must not time out. */
const SLOW_LINE = 50
/** For a body of unknown size. */
const STREAM_TIME = 600_000

/** How long sending the body may take; no response is possible before that. */
const sendingTime = ({ event }: ObservedStep): number =>
  at(event, 'info', 'streamed') === true ? STREAM_TIME : (numberAt(event, 'info', 'bytes') ?? 0) / SLOW_LINE

const inTime = (span: Span, awake: (trigger: ObservedStep) => number): Formula =>
  closes(span, {
    within: { awake },
    unless: disposed,
    about: 'root',
    says: ({ key, waited }) => `Request ${key} has not settled in ${Math.round(waited / 1000)} s.`,
  })

/** Each request settles exactly once, and in time. */
export const settlesOnce = (settlesWithin: number): Formula =>
  and(
    alternates(asked, {
      says: ({ key, trigger }) =>
        trigger
          ? `Request ${key} was started twice.`
          : `Request ${key} settled without being open: a second time, or without being started.`,
    }),
    inTime(pressed, ({ event }) => settlesWithin + (numberAt(event, 'info', 'deadline') ?? 0)),
    inTime(unpressed, step => settlesWithin + sendingTime(step)),
    atRest(
      { src: 'request', status: ['error', 'stopped'] },
      {
        any: [{ not: { inside: { span: asked, by: 'context.info.id' } } }, { not: { some: { root: true } } }],
      },
      { says: 'Request {context.info.id} was dropped and never settled.' },
    ),
  )
