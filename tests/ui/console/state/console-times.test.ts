// Numbers that are times, in the values of a step.
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { DiffLine } from '../../../../src/ui/console/state/diff-line.tsx'
import type { Change } from '../../../../src/ui/console/state/diff-walk.ts'
import { RecordedClockContext, timeText } from '../../../../src/ui/console/state/times.ts'
import { formatDateTime } from '../../../../src/ui/widgets/format.ts'

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

test('a diff shows times as times, on both sides and in added records, and no other number', () => {
  const times = (change: Change) => {
    const line = createElement(DiffLine, { change })
    const html = renderToStaticMarkup(createElement(RecordedClockContext, { value: clock }, line))
    return html.match(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g) ?? []
  }
  const [first, second] = [60_500, 120_500]
  const [firstText, secondText] = [60_000, 120_000].map(after => formatDateTime(START + after))
  const changed = { mark: 'changed', before: first, after: second, inList: false } as const
  expect(times({ ...changed, pointer: '/context/token/expiresAt' })).toEqual([firstText, secondText])
  expect(times({ ...changed, pointer: '/context/attempt' })).toEqual([])
  const token = { expiresAt: second, lifetime: first }
  expect(times({ mark: 'added', pointer: '/context/token', after: token, inList: false })).toEqual([
    secondText,
  ])
})
