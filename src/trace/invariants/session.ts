// Invariants of the session: one refresh at a time, and no end without the user's request or a terminal
// response.
import { and, atMost, never, watch } from '../assert/build.ts'
import type { Formula, Past, Pattern, Span } from '../assert/language.ts'
import { isIn } from '../assert/values.ts'
import { numberAt, textAt } from '../event-values.ts'

/** At most one refresh in flight. */
export const oneRefresh: Formula = atMost(
  1,
  { life: { src: 'refreshToken' } },
  { says: 'A refresh started while another of the same session was in flight.' },
)

const session = { src: 'session', status: 'active' } as const
const over = { ...session, state: ['signedOut', 'booting', 'authenticating'] } as const
/** From sign-in to sign-out. */
const held: Span = { from: { ...session, state: 'authenticated' }, to: over }
const ends = { ...over, inside: held } as const

/** What may end a session, and the matching reasons. */
const BY_USER = ['userLocal', 'userGlobal']
const BY_STORAGE = ['storageCleared', 'otherTab']
const BY_SERVER = [
  'remoteRevoked',
  'notFound',
  'reuseDetected',
  'inactivity',
  'timebox',
  'newerLogin',
  'lowAal',
  'banned',
]

const isTerminal: Pattern = ({ event }) => {
  if (event['failure'] === undefined) return false
  const status = numberAt(event, 'failure', 'status') ?? 0
  return status >= 400 && status < 500 && status !== 408 && status !== 429
}

/** A session ends only by the user's request or a terminal response, with its reason. */
export function endsForAReason(): Formula {
  let userId: string | undefined
  const keepUser = watch(
    () =>
      ({ actor: { value, context } }) => {
        if (isIn(value, 'authenticated')) userId = textAt(context, 'token', 'user', 'id')
      },
    { of: session },
  )
  const isOfAnother: Pattern = ({ event }) => textAt(event, 'token', 'user', 'id') !== userId
  const since = (step: Pattern): { readonly happened: Past } => ({ happened: { step, during: held } })
  const willed = since({ src: 'session', event: 'session.signOut' })
  const refused = since(isTerminal)
  const touched = since({
    any: [{ event: ['stored.changed', 'stored.none'] }, { all: [{ event: 'stored.found' }, isOfAnother] }],
  })
  const because = (reasons: readonly string[], evidence: { readonly happened: Past }, but: string) =>
    never(
      { ...ends, context: { reason: { oneOf: reasons } }, not: evidence },
      { says: `The session ended as "{context.reason}", but ${but}.` },
    )
  return and(
    because(BY_USER, willed, 'the user had not requested it'),
    because(BY_SERVER, refused, 'no server response was terminal'),
    because(BY_STORAGE, touched, 'the storage was not touched'),
    never(
      { ...ends, context: { reason: { noneOf: [...BY_USER, ...BY_SERVER, ...BY_STORAGE] } } },
      { says: 'The session ended with an invalid reason ("{context.reason}").' },
    ),
    never(
      {
        ...session,
        state: 'authenticated',
        was: { state: 'authenticated' },
        context: { 'token.user.id': { isNot: { ref: 'was.context.token.user.id' } } },
        not: { any: [{ event: 'auth.succeeded' }, touched] },
      },
      { says: 'The session switched to another user without an event.' },
    ),
    keepUser,
  )
}
