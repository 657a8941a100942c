// Verified tokens are remembered, but not beyond the moments at which they are valid.
import { afterEach, expect, test, vi } from 'vitest'
import { createTokens } from '../../backend/keys/tokens.ts'
import { generateSecrets } from '../../backend/shared/data-directory.ts'

afterEach(() => vi.restoreAllMocks())

const START = Date.parse('2026-11-27T12:00:00Z')

async function setUp() {
  let now = START
  const tokens = await createTokens(generateSecrets(), { clock: { now: () => now } })
  const verify = vi.spyOn(crypto.subtle, 'verify')
  return {
    tokens,
    verifications: () => verify.mock.calls.length,
    at: (seconds: number) => (now = START + seconds * 1000),
    sign: (claims: Record<string, unknown> = {}) =>
      tokens.sign({ role: 'authenticated', sub: 'ann', exp: START / 1000 + 60, ...claims }),
    refusalOf: async (token: string) => {
      const identified = await tokens.identify(undefined, token)
      return 'refusal' in identified ? identified.refusal : identified.claims.sub
    },
  }
}

test('a signature is verified once, and each caller gets its own claims', async () => {
  const { tokens, sign, verifications } = await setUp()
  const token = await sign()
  const first = await tokens.verify(token)
  first.sub = 'eve'
  expect((await tokens.verify(token)).sub).toBe('ann')
  expect(verifications()).toBe(1)
})

test('a remembered token is refused when it has expired or is not valid yet', async () => {
  const { sign, at, refusalOf } = await setUp()
  const token = await sign({ nbf: START / 1000 - 10 })
  const refusals: [number, string | undefined][] = []
  for (const seconds of [0, 59.9, 60, 30, -10, -10.1, 0]) {
    at(seconds)
    refusals.push([seconds, await refusalOf(token)])
  }
  expect(refusals).toEqual([
    [0, 'ann'],
    [59.9, 'ann'],
    [60, 'tokenExpired'],
    [30, 'ann'],
    [-10, 'ann'],
    [-10.1, 'tokenInvalid'],
    [0, 'ann'],
  ])
})

test('a changed token is refused although the original is remembered', async () => {
  const { sign, refusalOf } = await setUp()
  const token = await sign()
  expect(await refusalOf(token)).toBe('ann')
  const [header, , signature] = token.split('.')
  const forged = Buffer.from(JSON.stringify({ role: 'service_role', sub: 'eve' })).toString('base64url')
  for (const changed of [`${header}.${forged}.${signature}`, token.slice(0, -4) + 'AAAA'])
    expect(await refusalOf(changed)).toBe('tokenInvalid')
  expect(await refusalOf(token)).toBe('ann')
})

test('a thousand tokens are remembered', async () => {
  const { sign, refusalOf, verifications } = await setUp()
  const tokens = await Promise.all(Array.from({ length: 1_001 }, (_, n) => sign({ sub: String(n) })))
  for (const token of tokens) await refusalOf(token)
  expect(verifications()).toBe(1_001)
  await refusalOf(tokens.at(1) ?? '')
  expect(verifications()).toBe(1_001)
  await refusalOf(tokens.at(0) ?? '')
  expect(verifications()).toBe(1_002)
})
