// Times with a zone, as cells show and read them; PostgreSQL with the same zone is the oracle.
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { evaluateIn } from '../../../harness/in-zone.ts'

const MODULE = 'src/services/workbench/table/cells/instant-text.ts'

const ZONES = [
  'Europe/Berlin',
  'Asia/Kathmandu',
  'America/St_Johns',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Africa/Monrovia',
  'America/Sao_Paulo',
  'UTC',
]

/** As PostgreSQL and PostgREST write them in other zones. */
const INSTANTS = [
  '2026-03-14 04:00:00+00',
  '2026-03-14T04:00:00.123456+00:00',
  '2026-03-14 04:00:00.000001+05:45',
  '2026-03-14 23:59:59.9-03:30',
  // Before, in and after the hour that Berlin skips, and the one that it repeats.
  '2026-03-29 00:59:59.999999+00',
  '2026-03-29 01:00:00+00',
  '2026-10-25 00:30:00+00',
  '2026-10-25 01:30:00+00',
  // The day that Apia skipped.
  '2011-12-30 09:59:59+00',
  '2011-12-30 10:00:00+00',
  '1999-12-31 23:59:59+00',
  '1970-01-01 00:00:00+00',
  '1969-12-31 23:59:59.5+00',
  '0099-06-01 12:00:00+00',
  '0001-01-01 12:00:00+00',
  '0044-03-15 12:00:00+00 BC',
  '4000-01-01 00:00:00+00 BC',
  '12026-07-01 12:00:00+00',
  '294276-12-31 12:00:00+00',
  'infinity',
  '-infinity',
]

/** Without a zone, as typed: in gaps, in repeated hours, and elsewhere. */
const CLOCKS = [
  '2026-03-14 10:00',
  '2026-03-14T10:00:05.25',
  '2026-03-29 02:30:00',
  '2026-10-25 02:30:00',
  '2011-12-30 12:00:00',
  '2018-11-04 00:30:00',
  '2026-11-01 01:30:00',
  '2026-03-14',
  '0044-03-15 12:00:00 BC',
  '12026-07-01 12:00:00',
]

let db: PGlite
beforeAll(async () => {
  db = await PGlite.create()
})
afterAll(() => db.close())

/** What PostgreSQL writes for each text as a `timestamptz` of the zone. */
async function oracle(zone: string, texts: readonly string[]): Promise<readonly unknown[]> {
  await db.query(`set timezone = '${zone}'`)
  const { rows } = await db.query<{ t: string }>(
    'select t::timestamptz::text as t from unnest($1::text[]) with ordinality as u (t, n) order by n',
    [texts],
  )
  return rows.map(({ t }) => t)
}

describe.each(ZONES)('in %s', zone => {
  test('a time is shown as PostgreSQL writes it in this zone', async () => {
    const shown = await evaluateIn({ zone }, MODULE, 'input.map(its.zonedTime)', INSTANTS)
    // Dates of JavaScript end in the year 275760: then the text stays as stored, which is the same instant.
    const beyond = INSTANTS.filter(text => text.startsWith('294276'))
    const expected = await oracle(zone, INSTANTS)
    expect(shown).toEqual(INSTANTS.map((text, at) => (beyond.includes(text) ? text : expected[at])))
  })

  test('a time without an offset is sent with the one by which PostgreSQL would read it', async () => {
    const sent = (await evaluateIn({ zone }, MODULE, 'input.map(its.withZone)', CLOCKS)) as string[]
    for (const text of sent) expect(text).toMatch(/[+-]\d\d(?::\d\d){0,2}(?: BC)?$/)
    expect(await oracle('UTC', sent)).toEqual(
      await oracle(zone, CLOCKS).then(texts => oracle('UTC', texts as string[])),
    )
  })
})

const IN_UTC = '(await import(input[0])).showUtc(true) ?? input[1].map(its[input[2]])'
const ZONE_MODULE = new URL('../../../../src/services/workbench/text/time-zone.ts', import.meta.url).href

test('where UTC is preferred, times are shown and read in UTC', async () => {
  const inUtc = (texts: readonly string[], name: string) =>
    evaluateIn({ zone: 'Asia/Kathmandu' }, MODULE, IN_UTC, [ZONE_MODULE, texts, name])
  expect(await inUtc(INSTANTS, 'zonedTime')).toEqual(await oracle('UTC', INSTANTS))
  const sent = (await inUtc(CLOCKS, 'withZone')) as string[]
  expect(await oracle('Asia/Tokyo', sent)).toEqual(
    await oracle('UTC', CLOCKS).then(texts => oracle('Asia/Tokyo', texts as string[])),
  )
})

test('a time without a zone, a date and a word are as stored', async () => {
  const texts = ['2026-03-29T02:30:00.5', '2026-03-29', 'now', '2026-03-14 04:00:00', 'nonsense', '']
  expect(await evaluateIn({ zone: 'Europe/Berlin' }, MODULE, 'input.map(its.zonedTime)', texts)).toEqual([
    '2026-03-29 02:30:00.5',
    ...texts.slice(1),
  ])
})

test('picking a date keeps the fraction of a second, and the stored one of two equal hours', async () => {
  const zone = 'Europe/Berlin'
  const picks = [
    ['2026-10-25 00:30:00.123456+00', '2026-10-25T02:30:00'],
    ['2026-10-25 01:30:00.123456+00', '2026-10-25T02:30:00'],
    // From summer to winter, the clock stays and the offset changes.
    ['2026-07-01 10:00:00.5+00', '2026-12-01T12:00'],
    ['', '2026-12-01T12:00'],
  ]
  const picked = (await evaluateIn(
    { zone },
    MODULE,
    'input.map(each => its.withPicked(...each))',
    picks,
  )) as string[]
  expect(await oracle('UTC', picked.slice(0, 2))).toEqual(picks.slice(0, 2).map(([stored]) => stored))
  expect(picked.slice(2)).toEqual(['2026-12-01 12:00:00.5+01', '2026-12-01 12:00:00'])
  const stored = [...picks.slice(0, 2).map(([text]) => text), '0044-03-15 12:00:00+00 BC', 'infinity']
  const fields = ['2026-10-25T02:30:00', '2026-10-25T02:30:00', '', '']
  expect(await evaluateIn({ zone }, MODULE, 'input.map(its.pickerTime)', stored)).toEqual(fields)
})
