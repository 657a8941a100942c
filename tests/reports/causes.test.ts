// Which reports are one group: recordings whose causes a person named, in many variants of each.
import { describe, expect, test } from 'vitest'
import type { ClientStatus, Failure } from '../../src/machines/index.ts'
import { causeOfUser } from '../../src/services/reports/causes.ts'
import type { TraceSource } from '../../src/trace/index.ts'
import { answers, environmentScript, refused, renewals, stored, type World } from '../harness/timeline.ts'
import { CORPUS } from '../trace/explain/corpus/index.ts'
import { both, clientTrace, request, wait } from '../trace/explain/corpus/situation.ts'

const STATUS: ClientStatus = {
  session: { phase: 'signedOut', reason: 'never' },
  key: { state: 'accepted', refusedBy: [], isChecking: false },
  connection: { phase: 'idle', attempt: 0 },
  network: 'online',
  requests: { queued: 0, waiting: 0, sending: 0, receiving: 0 },
  channels: {},
}

const fingerprintOf = (trace: TraceSource): string => causeOfUser(STATUS, trace).fingerprint

const failing =
  (failure: Failure): World =>
  () => ({ send: () => [[15, { type: 'send.failed', failure }]] })

const TABLES = ['vessels', 'voyages', 'log_entries'] as const

/** A call of the `n`-th user: another table, row, request and time for each. */
const call = (n: number, path = `/rest/v1/${TABLES[n % 3]}?id=eq.${n}`) =>
  both(wait(10 + n), request({ id: `call-${n}`, method: 'POST', path }), wait(1_000 + 7 * n))

const expired = (n: number) => stored(-5 - n)

/** Recordings by their cause, for the `n`-th user that has it. */
const CAUSES: Readonly<Record<string, (n: number) => TraceSource>> = {
  'the refresh token was used already': n =>
    clientTrace([expired(n), renewals(refused('refresh_token_already_used'))], wait(2_000 + n)),
  'the user was banned': n => clientTrace([expired(n), renewals(refused('user_banned'))], wait(2_000 + n)),
  'the backend is down': n => clientTrace([stored(3_000 - n), answers(503)], call(n)),
  'the backend cannot be reached': n =>
    clientTrace([stored(3_000), failing({ kind: 'network', message: `No way ${n}.` })], call(n)),
  'the device is offline': n =>
    clientTrace([stored(3_000), environmentScript([20 + n, { online: false }])], wait(2_000 + n)),
}

describe('reports of users', () => {
  test('fifty complaints with five causes are five groups', () => {
    const groups = Object.entries(CAUSES).map(
      ([name, record]) =>
        [name, new Set(Array.from({ length: 10 }, (_, n) => fingerprintOf(record(n))))] as const,
    )
    expect(groups.map(([name, { size }]) => [name, size])).toEqual(groups.map(([name]) => [name, 1]))
    expect(new Set(groups.flatMap(([, fingerprints]) => [...fingerprints])).size).toBe(5)
  })

  test('no id, number, name of a row or secret is in a fingerprint', () => {
    const id = '7d444840-9dc0-11d1-b245-5ffdce74fad2'
    const path = `/rest/v1/vessels?id=eq.${id}`
    const { fingerprint } = causeOfUser(STATUS, clientTrace([stored(3_000), answers(503)], call(1, path)))
    expect(fingerprint).toBe('user request callFailing: send.answered 503')
  })
})

/** Situations of the corpus, one line for each cause, as a person named it. */
const BY_CAUSE: readonly (readonly string[])[] = [
  ['4: a 429 while the token has expired', 'a channel waits for a token that the auth server limits'],
  [
    '5: a read while offline with an expired token',
    'the device is offline during a read',
    'a channel waits for the socket of an offline device',
    'not refreshed while offline',
    'an upload waits for the network',
  ],
  ['9: the refresh token was used elsewhere', 'the refresh is refused: it was used already'],
  ['the refresh is refused: the session was ended elsewhere', 'an injected fault: the session is revoked'],
  ['the token is delayed, not the session lost', 'gives up waiting for a token'],
  [
    'a request fails: network',
    'an injected fault: lost response',
    'the network fails and the read is retried',
  ],
  ['a request is refused: the key is rejected', 'the key is refused by every service'],
  [
    'an injected fault: status',
    'a 503 that is retried',
    'a 503 three times',
    'the calls fail since the backend is down',
  ],
  ['waits for a token that the auth server does not issue', 'late: the network failed first'],
  ['a 429 with a wait', 'a 429 that ends after the deadline'],
  ['the refresh is refused: it is unknown'],
  ['the refresh is refused: the session has reached its longest time'],
  ['the refresh is refused: the user is banned'],
  ['the refresh is refused: the user was deleted'],
  ['another tab had used the refresh token'],
  ['another tab signed out'],
  ['the storage never answers'],
  ['a wrong password'],
  ['a request fails: timeout'],
  ['a request fails: conflict'],
  ['a request is refused: legacy keys are disabled'],
  ['a request is refused: no key arrived'],
  ['a write fails on the server and is not retried'],
  ['19: changes were missed in a gap'],
]

test('situations of the corpus are one group if a person named the same cause, and only then', async () => {
  const groups = new Map<string, string[]>()
  for (const name of BY_CAUSE.flat()) {
    const situation = CORPUS.find(one => one.name === name)
    if (!situation) throw new Error(`The corpus has no situation “${name}”.`)
    const fingerprint = fingerprintOf(await situation.record())
    groups.set(fingerprint, [...(groups.get(fingerprint) ?? []), name])
  }
  expect([...groups.values()]).toEqual(BY_CAUSE)
  expect([...groups.keys()]).not.toContain('user')
})
