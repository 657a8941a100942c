// Numbers, sizes and times in the texts of the app, by the browser's locale; as people of these countries write them.
import { expect, test } from 'vitest'
import { evaluateIn } from '../../harness/in-zone.ts'

const MODULE = 'src/services/workbench/text/index.ts'

const AT = '2026-11-22T12:03:06.045Z'

const TEXTS = `[
  its.plural(1234567, 'row'),
  its.plural(1, 'row'),
  its.formatSize(999),
  its.formatSize(12400),
  its.formatSize(1250000000000000),
  its.formatMs(4.24),
  its.formatMs(1204),
  its.formatDateTime(input),
  its.formatTime(Date.parse(input)),
  its.formatExactTime(input),
  its.formatRange(input, '2026-11-22T12:13:00Z'),
  its.formatRange(input, '2026-11-24T12:13:00Z'),
].map(text => text.replaceAll(/[\\u202f\\u00a0\\u2009]/g, ' '))`

test('in the United States', async () => {
  expect(await evaluateIn({ locale: 'en_US' }, MODULE, TEXTS, AT)).toEqual([
    '1,234,567 rows',
    '1 row',
    '999 B',
    '12.4 kB',
    '1,250 TB',
    '4.2 ms',
    '1.20 s',
    'Nov 22, 2026, 12:03:06 PM',
    '12:03:06 PM',
    '12:03:06.045 PM',
    'Nov 22, 2026, 12:03 – 12:13 PM',
    'Nov 22, 2026, 12:03 PM – Nov 24, 2026, 12:13 PM',
  ])
})

test('in Germany, with English words', async () => {
  expect(await evaluateIn({ locale: 'de_DE', zone: 'Europe/Berlin' }, MODULE, TEXTS, AT)).toEqual([
    '1.234.567 rows',
    '1 row',
    '999 B',
    '12,4 kB',
    '1.250 TB',
    '4,2 ms',
    '1,20 s',
    '22 Nov 2026, 13:03:06',
    '13:03:06',
    '13:03:06,045',
    '22 Nov 2026, 13:03–13:13',
    '22 Nov 2026, 13:03 – 24 Nov 2026, 13:13',
  ])
})

test('in Egypt and India, with the digits of the texts', async () => {
  const count = 'its.formatCount(1234567)'
  expect(await evaluateIn({ locale: 'hi_IN' }, MODULE, count)).toBe('12,34,567')
  expect(await evaluateIn({ locale: 'ar_EG' }, MODULE, count)).toBe('1,234,567')
})

test('the zone is the browser’s until UTC is chosen; what is no time is named so', async () => {
  const texts = await evaluateIn(
    { zone: 'America/St_Johns' },
    MODULE,
    `[its.timeZone(), its.formatTime(input), its.showUtc(true), its.timeZone(), its.formatTime(input), its.formatDateTime('soon')]`,
    AT,
  )
  const plain = (texts as (string | null)[]).map(text => text?.replaceAll('\u202f', ' ') ?? null)
  expect(plain).toEqual(['America/St_Johns', '8:33:06 AM', null, 'UTC', '12:03:06 PM', 'unknown time'])
})
