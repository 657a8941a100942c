// Numbers that are times, in the values of a step.
import { expect, test } from 'vitest'
import { timeText } from '../../src/ui/console/state/times.ts'
import { formatDateTime } from '../../src/ui/widgets/format.ts'

const START = Date.UTC(2026, 10, 26, 12)
const clock = { startedAt: START, offset: 500 }

test('times since 1970 are known by their size, in milliseconds and in seconds', () => {
  expect(timeText('created_at', START, undefined)).toBe(formatDateTime(START))
  expect(timeText('exp', START / 1000, undefined)).toBe(formatDateTime(START))
})

test('a time of the client’s clock counts from its time at the start of the recording', () => {
  expect(timeText('expiresAt', 60_500, clock)).toBe(formatDateTime(START + 60_000))
  expect(timeText('heldSince', -9_500, clock)).toBe(formatDateTime(START - 10_000))
  expect(timeText('expiresAt', 60_500, undefined)).toBe(undefined)
})

test.each([
  ['attempt', 60_500],
  ['format', START],
  ['expiresAt', '60500'],
  ['expiresAt', Number.NaN],
  ['at', Number.POSITIVE_INFINITY],
])('%s %j is no time', (name, value) => {
  expect(timeText(name, value, clock)).toBe(undefined)
})
