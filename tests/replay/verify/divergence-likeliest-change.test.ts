// Which change is blamed for a step: one on its path, never a transition for an event that did not occur.
import { expect, test } from 'vitest'
import type { ChartChange } from '../../../src/trace/index.ts'
import { likeliestChange } from '../../../src/services/replay/verify/divergence-cause.ts'
import { describeDivergence } from '../../../src/services/replay/index.ts'

const transition = (event: string, n: number, target: string) =>
  ({ machine: 'till', name: `paying#${n}`, event, targets: [target], actions: [] }) as const
const changed = (event: string): ChartChange => ({
  machine: 'till',
  state: 'paying',
  what: 'transition',
  was: transition(event, 1, 'open'),
  is: transition(event, 1, 'paid'),
  parts: ['targets'],
})
/** The guard of `pay` has changed behind the same name. */
const step = { machine: 'till', was: [transition('pay', 0, 'paid')], is: [] }

test.each([
  ['cancel', false],
  ['pay', true],
  ['always', true],
  ['after patience', true],
  ['*', true],
  ['pay.*', true],
])('a change of a transition for %s', (event, isLikeliest) => {
  const change = changed(event)
  expect(likeliestChange([change], step)).toBe(isLikeliest ? change : undefined)
})

test('without a change to blame, the names on the path are listed with what changed', () => {
  const was = [{ ...transition('pay', 0, 'paid'), guard: 'isCovered' }]
  const cause = { actor: 'till', was, is: [], changes: [changed('cancel')] }
  expect(describeDivergence({ index: 3, differences: [], chain: [], cause })).toEqual([
    'first difference at step 3',
    '  transition of till then: paying#0 pay [isCovered] → paid',
    '  transition of till now:  none',
    '  changed in till paying: targets of a transition: was paying#1 cancel → open, is paying#1 cancel → paid',
    '  none of these changes affects the step; check the guard isCovered, and the data they read',
  ])
})
