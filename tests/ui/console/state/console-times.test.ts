// Numbers that are times, in the values of a step.
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { DiffLine } from '../../../../src/ui/console/state/diff-line.tsx'
import type { Change } from '../../../../src/ui/console/state/diff-walk.ts'
import { RecordedClockContext, timeText } from '../../../../src/ui/console/state/times.ts'
import { formatDateTime } from '../../../../src/services/workbench/text/index.ts'

const START = Date.UTC(2026, 10, 26, 12)
const clock = { startedAt: START, offset: 500, zone: 'UTC' }

test('times since 1970 are known by their size, in milliseconds and in seconds', () => {
  expect(timeText('created_at', START, undefined)).toBe(formatDateTime(START))
  expect(timeText('exp', START / 1000, undefined)).toBe(formatDateTime(START))
})

test('a time of the client’s clock counts from its time at the start of the recording', () => {
  expect(timeText('expiresAt', 60_500, clock)).toBe(formatDateTime(START + 60_000, 'UTC'))
  expect(timeText('heldSince', -9_500, clock)).toBe(formatDateTime(START - 10_000, 'UTC'))
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
    return html.match(/Nov 26, 2026, \d\d?:\d\d:\d\d\sPM/g) ?? []
  }
  const [first, second] = [60_500, 120_500]
  const [firstText, secondText] = [60_000, 120_000].map(after => formatDateTime(START + after, 'UTC'))
  const changed = { mark: 'changed', before: first, after: second, inList: false } as const
  expect(times({ ...changed, pointer: '/context/token/expiresAt' })).toEqual([firstText, secondText])
  expect(times({ ...changed, pointer: '/context/attempt' })).toEqual([])
  const token = { expiresAt: second, lifetime: first }
  expect(times({ mark: 'added', pointer: '/context/token', after: token, inList: false })).toEqual([
    secondText,
  ])
})

test('a time is readable before its number', () => {
  const change: Change = {
    mark: 'added',
    pointer: '/context/receivedAt',
    after: -2_191_050.599,
    inList: false,
  }
  const html = renderToStaticMarkup(
    createElement(RecordedClockContext, { value: clock }, createElement(DiffLine, { change })),
  )
  const text = html.replace(/<[^>]*>/g, ' ')
  const time = formatDateTime(START - 2_191_050.599 - clock.offset, 'UTC')
  expect(text.indexOf(time)).toBeGreaterThan(text.indexOf('receivedAt'))
  expect(text.indexOf('-2191050.599')).toBeGreaterThan(text.indexOf(time))
})
