// The text of the line of edit and replay, and its progress.
import { expect, test } from 'vitest'
import {
  editShare,
  type EditState,
  editText,
  type SystemVerdict,
} from '../../../../src/ui/console/edits/edits.ts'

const state = (given: Partial<EditState>): EditState => ({
  phase: 'judged',
  saved: { file: 'till.ts', url: '', liveUrl: '', isHeld: true },
  progress: { count: 0, total: 0 },
  message: '',
  verdicts: [],
  ...given,
})
const verdict = (given: Partial<SystemVerdict>): SystemVerdict => ({
  label: 'till',
  steps: 1_214,
  outcome: 'same',
  ...given,
})
const judged = (...verdicts: readonly Partial<SystemVerdict>[]) =>
  editText(state({ verdicts: verdicts.map(verdict) }))

test('a verdict is one line', () => {
  expect(judged({})).toBe('till.ts: same in all 1,214 steps')
  expect(judged({}, { steps: 6 })).toBe('till.ts: same in all 1,220 steps of 2 systems')
  expect(judged({ outcome: 'unverified', steps: 0 })).toBe('till.ts: no step is recorded yet')
  expect(judged({ outcome: 'unusable', reason: 'it has no start' })).toBe(
    'till.ts: the recording cannot be replayed: it has no start',
  )
  const differs = {
    outcome: 'differs',
    reason: 'desk on add is full, not open',
    first: { step: 31, lines: [], recorded: null as never, driven: null as never },
  } as const
  expect(judged({}, { ...differs, label: 'desk' })).toBe(
    'till.ts: desk differs at step 31: desk on add is full, not open',
  )
})

test('the other phases have a text, with whether the app changed', () => {
  expect(editText(state({ phase: 'idle' }))).toBeUndefined()
  expect(editText(state({ phase: 'driving', progress: { count: 5, total: 10 } }))).toBe(
    'till.ts: replaying 10 inputs',
  )
  expect(editText(state({ phase: 'refused', message: 'It throws.' }))).toBe(
    'till.ts: It throws. The app is unchanged.',
  )
  expect(
    editText(
      state({ phase: 'refused', message: 'It throws.', saved: { ...state({}).saved, isHeld: false } }),
    ),
  ).toBe('till.ts: It throws.')
  expect(editShare(state({ phase: 'driving', progress: { count: 5, total: 10 } }))).toBe(0.5)
  expect(editShare(state({ phase: 'driving' }))).toBe(0)
  expect(editShare(state({}))).toBeUndefined()
})
