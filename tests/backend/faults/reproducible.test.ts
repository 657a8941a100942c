// Reproducible randomness and random plans: nothing stops the process or affects anything else.
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { createEngine } from '../../../backend/faults/engine.ts'
import { createShiftableClock, type Fault, type FaultPlan } from '../../../backend/faults/index.ts'
import { parsePlan } from '../../../backend/faults/parse-plan.ts'
import { systemClock } from '../../../backend/shared/clock.ts'
import { startOwnBackend } from '../../harness/backend.ts'

const backend = await startOwnBackend()
afterEach(() => {
  backend.faults.clear()
  for (const { id } of backend.faults.heldRequests()) backend.faults.release(id)
})

const plan: FaultPlan = {
  seed: 42,
  faults: [
    { id: 'sometimes', when: { family: 'rest', probability: 0.4 }, do: { status: 503 } },
    { id: 'shaky', when: { probability: 0.7 }, do: { delay: 1, jitter: 3 } },
  ],
}

/** The results of a series of requests: which were hit, by which fault, and the delay. */
async function voyage(seed: number) {
  backend.faults.replace({ ...plan, seed })
  const since = backend.faults.hits().at(-1)?.seq ?? 0
  const answers: unknown[] = []
  for (const path of Array.from({ length: 12 }, (_, n) =>
    n % 3 === 0 ? 'auth/v1/settings' : 'rest/v1/vessels',
  )) {
    const response = await fetch(`${backend.url}/${path}`, { headers: { apikey: backend.publishableKey } })
    await response.text()
    answers.push([response.status, response.headers.get('x-chartroom-fault')])
  }
  const hits = backend.faults.hits(since).map(({ fault, n, path, delay }) => ({ fault, n, path, delay }))
  return { answers, hits }
}

test('the same seed gives the same results', async () => {
  const [first, second, other] = [await voyage(42), await voyage(42), await voyage(43)]
  expect(second).toEqual(first)
  expect(first.hits.length).toBeGreaterThan(5)
  expect(other).not.toEqual(first)
})

test('the hits of one fault do not depend on the other faults', () => {
  const hitsOf = (faults: readonly Fault[]) => {
    const engine = createEngine(createShiftableClock(systemClock))
    engine.replace({ seed: 5, faults })
    for (let n = 0; n < 50; n += 1)
      engine.decide({ family: 'rest', caller: { kind: 'anon' }, method: 'GET', path: '/' })
    return engine.hits
      .list()
      .filter(({ fault }) => fault === 'mine')
      .map(({ n, delay }) => [n, delay])
  }
  const mine: Fault = { id: 'mine', when: { probability: 0.5 }, do: { jitter: 90 } }
  const alone = hitsOf([mine])
  expect(alone.length).toBeGreaterThan(10)
  expect(hitsOf([{ id: 'other', when: { probability: 0.5 }, do: { jitter: 9 } }, mine])).toEqual(alone)
})

describe('random plans', () => {
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
  const when = fc.record({
    family: maybe(fc.constantFrom('rest', 'storage', 'functions')),
    method: maybe(fc.constantFrom('GET', 'POST', 'HEAD')),
    path: maybe(fc.constantFrom('/rest/v1/vessels', '/storage/**', '/tide$/', '*', '/(a|b)*c/')),
    user: maybe(fc.constantFrom('anon', 'service', 'skipper@harbour.test')),
    every: maybe(fc.integer({ min: 1, max: 3 })),
    probability: maybe(fc.double({ min: 0, max: 1, noNaN: true })),
  })
  const action = fc.oneof(
    fc.record({ delay: fc.nat(5), jitter: fc.nat(5) }),
    fc.record({
      status: fc.integer({ min: 400, max: 599 }),
      message: fc.string({ minLength: 1, maxLength: 20 }),
    }),
    fc.record({ lost: fc.constantFrom('request', 'response') }),
    fc.record({ truncate: fc.nat(50) }),
    fc.record({ bytesPerSecond: fc.integer({ min: 50_000, max: 1_000_000 }) }),
    fc.constant({ token: 'expired' }),
    fc.constant({ session: 'revoked' }),
    fc.record({ status: fc.constant(503), retryAfter: fc.nat(9), delay: fc.nat(3) }),
  )
  const plans = fc.array(fc.record({ when, do: action }), { minLength: 1, maxLength: 6 })
  const headers = { apikey: backend.publishableKey, 'content-type': 'application/json' }
  const requests = [
    ['GET', '/rest/v1/vessels?select=name'],
    ['POST', '/rest/v1/vessels', '{"name":"x"}'],
    ['GET', '/storage/v1/bucket'],
    ['HEAD', '/rest/v1/vessels'],
    ['POST', '/functions/v1/tide', '{"port":"Dover"}'],
  ] as const

  test('disturb only their targets and end without a trace', async () => {
    const settings = async () => (await fetch(`${backend.url}/auth/v1/settings`, { headers })).text()
    const rows = async () =>
      (await fetch(`${backend.url}/rest/v1/vessels?select=name&order=id`, { headers })).text()
    const [unchanged, before] = [await settings(), await rows()]
    await fc.assert(
      fc.asyncProperty(plans, fc.integer(), async (faults, seed) => {
        backend.faults.replace(
          parsePlan({
            seed,
            faults: faults.map(({ when: w, do: a }) => ({
              when: { family: ['rest', 'storage', 'functions'], ...clean(w) },
              do: a,
            })),
          }),
        )
        const disturbed = requests.map(async ([method, path, body]) => {
          const response = await fetch(`${backend.url}${path}`, {
            method,
            headers,
            ...(body ? { body } : {}),
          })
          await response.arrayBuffer()
        })
        // The auth service is in none of these plans, so its responses are always intact.
        const [untouched] = await Promise.all([
          settings(),
          ...disturbed.map(call => call.catch(() => undefined)),
        ])
        expect(untouched).toBe(unchanged)
        backend.faults.clear()
        expect(await rows()).toBe(before)
      }),
      { numRuns: 40 },
    )
  })
})

const clean = (value: object) =>
  Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined))
