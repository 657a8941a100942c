// A request as code: what is copied can be pasted, and contains no secret.
import { runInThisContext } from 'node:vm'
import { expect, test } from 'vitest'
import { addressOf, type CallSpec } from '../../src/services/workbench/rest/call-spec.ts'
import { copyAs, filterCalls, literal } from '../../src/services/workbench/rest/copy-as.ts'
import { hiddenJson } from '../../src/services/workbench/functions/call-history.ts'
import { createRedactor } from '../../src/trace/index.ts'
import { jsString } from '../../src/trace/index.ts'

const spec: CallSpec = {
  method: 'GET',
  path: '/rest/v1/vessels',
  query: [
    ['select', 'id,name'],
    ['name', "ilike.*O'Hara*"],
    ['order', 'name.desc.nullslast,id.asc'],
    ['offset', '50'],
    ['limit', '50'],
  ],
  headers: { apikey: 'secret', authorization: 'Bearer secret', 'Accept-Profile': 'harbour' },
}

test('a read is copied in three forms, with placeholders for secrets', () => {
  expect(copyAs(spec)).toEqual({
    supabaseJs: [
      "const { data, error } = await supabase.schema('harbour')",
      "  .from('vessels')",
      "  .select('id,name')",
      "  .ilike('name', '*O\\'Hara*')",
      "  .order('name', { ascending: false, nullsFirst: false })",
      "  .order('id')",
      '  .range(50, 99)',
    ].join('\n'),
    curl: [
      `curl "$SUPABASE_URL"'/rest/v1/vessels?select=id,name&name=ilike.*O'\\''Hara*&order=name.desc.nullslast,id.asc&offset=50&limit=50'`,
      '  -H "apikey: $SUPABASE_KEY"',
      '  -H "Authorization: Bearer $ACCESS_TOKEN"',
      "  -H 'Accept-Profile: harbour'",
    ].join(' \\\n'),
    fetch: [
      "const response = await fetch(SUPABASE_URL + '/rest/v1/vessels?select=id,name&name=ilike.*O\\'Hara*&order=name.desc.nullslast,id.asc&offset=50&limit=50', {",
      '  headers: {',
      '    apikey: SUPABASE_KEY,',
      '    Authorization: `Bearer ${ACCESS_TOKEN}`,',
      "    'Accept-Profile': 'harbour',",
      '  },',
      '})',
      'if (!response.ok) throw new Error(await response.text())',
      'const data = await response.json()',
    ].join('\n'),
  })
})

const supabaseJs = (call: CallSpec) =>
  copyAs(call).supabaseJs.replace('const { data, error } = await supabase', '')

test.each<[string, CallSpec, string]>([
  [
    'an insert',
    { method: 'POST', path: '/rest/v1/vessels', body: { name: 'Gull' } },
    ".from('vessels')\n  .insert({ name: 'Gull' })",
  ],
  [
    'an upsert',
    {
      method: 'POST',
      path: '/rest/v1/vessels',
      query: { on_conflict: 'id' },
      headers: { Prefer: 'resolution=ignore-duplicates,return=representation' },
      body: [{ id: 1 }],
    },
    ".from('vessels')\n  .upsert([{ id: 1 }], { onConflict: 'id', ignoreDuplicates: true })\n  .select()",
  ],
  [
    'an update',
    { method: 'PATCH', path: '/rest/v1/vessels', query: { id: 'eq.7' }, body: { rig: null } },
    ".from('vessels')\n  .update({ rig: null })\n  .eq('id', '7')",
  ],
  [
    'a deletion',
    { method: 'DELETE', path: '/rest/v1/vessels', query: { id: 'in.(1,"a,b")' } },
    ".from('vessels')\n  .delete()\n  .in('id', ['1', 'a,b'])",
  ],
  [
    'a database function, read',
    { method: 'GET', path: '/rest/v1/rpc/tides', query: { day: '2026-03-14' } },
    ".rpc('tides', { day: '2026-03-14' }, { get: true })",
  ],
  ['one without arguments', { method: 'POST', path: '/rest/v1/rpc/now', body: {} }, ".rpc('now')"],
  [
    'an edge function',
    {
      method: 'POST',
      path: '/functions/v1/tide',
      headers: { 'x-region': 'eu-west-1' },
      body: '{"port":"Hull"}',
    },
    ".functions.invoke('tide', { region: 'eu-west-1', body: { port: 'Hull' } })",
  ],
])('supabase-js for %s', (_name, call, text) => expect(supabaseJs(call)).toBe(text))

test('a request that supabase-js has no method for becomes a fetch', () => {
  const { supabaseJs: words, fetch } = copyAs({ method: 'GET', path: '/auth/v1/health' })
  expect(words).toBe(fetch)
})

test('filters with negation, lists, null and text search', () => {
  expect(
    filterCalls([
      ['a', 'not.is.null'],
      ['b', 'is.true'],
      ['c', 'cs.{1,2}'],
      ['d', 'fts(english).tide'],
      ['or', '(a.eq.1,b.gt.2)'],
      ['limit', '5'],
    ]),
  ).toEqual([
    ".not('a', 'is', null)",
    ".is('b', true)",
    ".filter('c', 'cs', '{1,2}')",
    ".filter('d', 'fts(english)', 'tide')",
    ".or('a.eq.1,b.gt.2')",
    '.limit(5)',
  ])
})

test('values cannot break out of the code', () => {
  const nasty = '\'"\\\n${x}`</script>\u2028'
  const run = (source: string): unknown => runInThisContext(source)
  expect(run(jsString(nasty))).toBe(nasty)
  const value = { [nasty]: [nasty, 1, null, true], __proto__x: {}, 'a-b': 'c' }
  expect(run(`(${literal(value)})`)).toEqual(value)
  const { fetch } = copyAs({ method: 'GET', path: '/rest/v1/`${x}`' })
  expect(fetch).toContain("SUPABASE_URL + '/rest/v1/`${x}`'")
  expect(addressOf({ method: 'GET', path: '/p', query: { 'ä&': '#?' } })).toBe('/p?%C3%A4%26=%23%3F')
})

test.each(['9007199254740993', '0.10', '-0', '1e400', '12345678901234567890.123'])(
  'the number %s keeps its digits in copied code and in a stored call without its secrets',
  digits => {
    const body = `{"n":${digits},"password":"Correct-Horse9"}`
    const { supabaseJs } = copyAs({ method: 'POST', path: '/rest/v1/logs', body })
    expect(supabaseJs).toContain(`'${digits}'`)
    const stored = hiddenJson(createRedactor(), body, 0)
    expect([stored.includes(`"n":${digits},`), stored.includes('Horse')]).toEqual([true, false])
  },
)
