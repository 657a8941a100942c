// Hostile requests: only a RestError is thrown, and in linear time.
import { expect, it } from 'vitest'
import { outcomeOf, post, read, refusalOf } from './read.ts'

const MEGABYTES = 2 ** 20

/** A linear congruential generator: the same texts in every run. */
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const TOKENS =
  ' \t , . .. ... : :: ( ) () { } [ ] " \\ - -> ->> ! * $ _ a b é 😀 0 1 -1 not. not and or and( or( eq. eq(any). in.( is. is.null fts(english). sum() count() count .avg() asc desc nullsfirst rel( left inner % %2 %ff %00 %C3 + & = ; ? / \n null'.split(
    ' ',
  )
const NAMES = [
  'select',
  'order',
  'rel.order',
  'and',
  'not.or',
  'rel.or',
  'limit',
  'rel.offset',
  'columns',
  'on_conflict',
  'id',
  'data->a',
]

it('accepts or refuses any query', async () => {
  const random = createRandom(42)
  const outcomes = new Set<string>()
  for (let run = 0; run < 4000; run++) {
    const text = Array.from({ length: random(12) }, () => TOKENS[random(TOKENS.length)]).join('')
    const name = NAMES[random(NAMES.length)]
    const value = random(4) === 0 ? text : encodeURIComponent(text)
    const path = random(3) === 0 ? `/rpc/f?${name}=${value}` : `/items?${name}=${value}&${value}=eq.1`
    outcomes.add(await outcomeOf(read(path)))
  }
  expect([...outcomes].toSorted()).toEqual(['accepted', 'refused'])
})

it('accepts or refuses any body', async () => {
  const random = createRandom(7)
  const types = ['application/json', 'text/csv', 'application/x-www-form-urlencoded', 'text/plain', 'a/b']
  const bytes = [0, 0x0a, 0x0d, 0x22, 0x25, 0x26, 0x2c, 0x3d, 0x5b, 0x5c, 0x5d, 0x61, 0x7b, 0x7d, 0xc3, 0xff]
  for (let run = 0; run < 2000; run++) {
    const body = Uint8Array.from({ length: random(10) }, () => bytes[random(bytes.length)] ?? 0)
    await outcomeOf(read(random(2) === 0 ? '/items' : '/rpc/f', post(body, types[random(types.length)])))
  }
})

it('accepts or refuses any header', async () => {
  const random = createRandom(3)
  const signs = [
    ...'a b q = ; , " / * + - | . 0 1 5 9 %'.split(' '),
    ' ',
    'application/vnd.pgrst.plan',
    'for=',
    'options=',
    ';q=',
    '\u00FF',
  ]
  for (let run = 0; run < 2000; run++) {
    const value = Array.from({ length: random(10) }, () => signs[random(signs.length)]).join('')
    const headers = { accept: value, prefer: value, range: value, cookie: value, 'content-type': value }
    expect(await outcomeOf(read('/items', { headers }))).toMatch(/accepted|refused/)
  }
})

it.each<[name: string, query: string]>([
  ['select', `select=${'a('.repeat(200)}*${')'.repeat(200)}`],
  ['select without an end', `select=${'a('.repeat(100_000)}`],
  ['spreads', `select=${'...a('.repeat(100_000)}`],
  ['logic', `or=${'(and'.repeat(200)}(a.eq.1)${')'.repeat(200)}`],
  ['negated logic', `or=(${'not.and('.repeat(100_000)}`],
])('refuses %s nested too deeply', async (_, query) => {
  const { status, code, details } = await refusalOf(`/items?${query}`)
  expect({ status, code }).toEqual({ status: 400, code: 'PGRST100' })
  expect(details).toContain('expecting at most 100 levels')
})

it.each<[name: string, query: string]>([
  ['select', `select=${'a('.repeat(100)}*${')'.repeat(100)}`],
  ['logic', `or=${'(and'.repeat(99)}(a.eq.1)${')'.repeat(99)}`],
])('accepts 100 levels of %s', async (_, query) => {
  await expect(read(`/items?${query}`)).resolves.toBeDefined()
})

it.each(['[', '{"a":', '[{"a":'])('reads or refuses JSON of a million %s', async open => {
  expect(await outcomeOf(read('/items', post(open.repeat(1_000_000))))).toBe('refused')
})

it('accepts deep JSON, for the database to refuse', async () => {
  const body = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  expect((await read('/items', post(body))).columns).toEqual(['a'])
})

it.each(['%FF', 'a=eq.%FF', '%C3=eq.1', 'select=%ED%A0%80'])(
  'refuses the invalid UTF-8 of %s',
  async query => {
    expect(await refusalOf(`/items?${query}`)).toMatchObject({ status: 400, code: 'PGRST100' })
  },
)

it('passes NUL on, for the database to refuse', async () => {
  const { query } = await read('/items?a=eq.%00')
  expect(query.filters[0]?.value.operation).toMatchObject({ value: '\0' })
})

it.each<[name: string, query: string]>([
  ['columns', `select=${'a,'.repeat(MEGABYTES / 2)}a`],
  ['names', `select=${'a'.repeat(MEGABYTES)}`],
  ['quotes', `select="${'\\a'.repeat(MEGABYTES / 2)}`],
  ['lists', `a=in.(${'"a",'.repeat(MEGABYTES / 4)}`],
  ['open quotes in lists', `a=in.(${'"a"b,'.repeat(MEGABYTES / 4)}`],
  ['logic', `or=(${'a.eq.1,'.repeat(MEGABYTES / 8)}a.eq.1)`],
  ['open quotes in logic', `or=(${'a.eq."x,'.repeat(MEGABYTES / 8)}a.eq.1)`],
  ['open braces in logic', `or=(${'a.eq.{x,'.repeat(MEGABYTES / 8)}a.eq.1)`],
  ['order', `order=${'a.desc,'.repeat(MEGABYTES / 8)}a`],
  ['parameters', 'a=eq.1&'.repeat(MEGABYTES / 8)],
  ['json paths', `data${'->a'.repeat(MEGABYTES / 4)}=eq.1`],
  ['digits', `limit=${'9'.repeat(MEGABYTES)}`],
  ['spaces', `limit=${'+'.repeat(MEGABYTES)}x`],
  ['escapes', `a=eq.${'%20'.repeat(MEGABYTES / 3)}`],
  ['dashes', `select=${'a-'.repeat(MEGABYTES / 2)}`],
  ['points', `${'a.'.repeat(MEGABYTES / 2)}a=eq.1`],
])('reads a megabyte of %s in linear time', { timeout: 10_000 }, async (_, query) => {
  await outcomeOf(read(`/items?${query}`))
})

it.each<[type: string, body: string]>([
  ['text/csv', `a,b\n${'1,2\n'.repeat(MEGABYTES / 4)}`],
  ['text/csv', `${'a,'.repeat(MEGABYTES / 4)}a\n${'1,'.repeat(MEGABYTES / 4)}1`],
  ['text/csv', `a\n"${'""'.repeat(MEGABYTES / 2)}`],
  ['application/x-www-form-urlencoded', 'a=1&'.repeat(MEGABYTES / 4)],
  ['application/json', `[${'{"a":1},'.repeat(MEGABYTES / 8)}{"a":1}]`],
])('reads a megabyte of %s in linear time', { timeout: 10_000 }, async (type, body) => {
  await outcomeOf(read('/items', post(body, type)))
})
