// What must hold in any weather holds in 60 storms: every invariant, and causes before their effects.
import { describe, expect, test } from 'vitest'
import { checkTrace, describeViolation } from '../../src/trace/invariants.ts'
import { stormyRun } from '../harness/recorded-run.ts'

describe.each(Array.from({ length: 60 }, (_, n) => n + 1000))('storm %i', seed => {
  const { trace } = stormyRun(seed, 30)

  test('no invariant is broken', () => {
    expect(checkTrace(trace, { timerLag: 0 }).map(describeViolation)).toEqual([])
  })

  test('causes stand before their effects', () => {
    expect(trace.views.filter(({ seq, by }) => by !== undefined && by >= seq)).toEqual([])
  })
})
