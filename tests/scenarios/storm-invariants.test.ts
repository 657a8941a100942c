// Every invariant passes in 60 storms, and causes precede their effects.
import { describe, expect, test } from 'vitest'
import { checkInvariants as checkTrace, describeViolation } from '../../src/trace/index.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { stormyRun } from '../harness/recorded-run.ts'
import { storm } from '../harness/storm.ts'

describe.each(Array.from({ length: 60 }, (_, n) => n + 1000))('storm %i', seed => {
  const { trace } = stormyRun(seed, 30)

  test('no invariant fails', () => {
    expect(checkTrace(trace, { timerLag: 0 }).map(describeViolation)).toEqual([])
  })

  test('causes precede their effects', () => {
    expect(trace.steps.filter(({ seq, by }) => by !== undefined && by >= seq)).toEqual([])
  })
})

test('a storm that lasts for hours passes, too', () => {
  // The requests include streams that wait for their response longer than any other request may.
  const { trace } = stormyRun(7, 330)
  expect(checkTrace(trace, { timerLag: 0 }).map(describeViolation)).toEqual([])
})

test('no two tokens of a storm have the same name, like those of a server', () => {
  const behavior = storm(5).behavior(createVirtualClock())
  const scripts = Array.from({ length: 400 }, (_, n) => [
    ...behavior.authenticate(n + 1),
    ...behavior.storeSession(n + 1),
    ...behavior.loadUser(n + 1),
    ...behavior.readSession(n + 1, undefined),
    ...behavior.refreshToken(n + 1, { tokenId: '' }),
  ]).flat()
  const names = scripts.flatMap(([, event]) => ('token' in event ? [event.token.id] : []))
  expect(names.length).toBeGreaterThan(1_000)
  expect(names.length - new Set(names).size).toBe(0)
})
