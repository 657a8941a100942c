// The bar of the token's lifetime in the top bar.
import { expect, test } from 'vitest'
import type { TokenStatus } from '../../../../src/public/index.ts'
import { tokenLife } from '../../../../src/ui/app/shell/token-life.tsx'

const life = { receivedAt: 0, expiresAt: 300_000, refreshAt: 210_000 }
const token: TokenStatus = { state: 'fresh', ...life, skew: 0, breaker: 'closed', role: 'leader' }

test('the bar fills towards the refresh time', () => {
  const { passed, refreshAt, text } = tokenLife(token, 166_000)
  expect([passed, refreshAt, text]).toEqual([166 / 300, 0.7, '2:14'])
  expect(tokenLife(token, 400_000)).toMatchObject({ passed: 1, text: 'expired' })
})

test('a token that was just received has its whole lifetime, whatever the tick of the clock', () => {
  const received = { ...token, receivedAt: 700, expiresAt: 3_600_700, refreshAt: 3_510_700 }
  expect(tokenLife(received, 0).text).toBe('1:00:00')
})
