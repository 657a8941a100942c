// Errors of parameters: their positions and what they list.
import { expect, it } from 'vitest'
import { refusalOf } from './read.ts'

const FIELD = 'field name (* or [a..z0..9_$])'
const NAME_END = 'letter, digit, "-", "->>", "->"'
const OPERATOR = 'operator (eq, gt, ...)'

it.each<[query: string, message: string, details: string]>([
  [
    'id=0',
    '"failed to parse filter (0)" (line 1, column 1)',
    `unexpected "0" expecting "not" or ${OPERATOR}`,
  ],
  [
    'a.b=noop.0',
    '"failed to parse filter (noop.0)" (line 1, column 1)',
    `unexpected "o" expecting "not" or ${OPERATOR}`,
  ],
  [
    'id=val',
    '"failed to parse filter (val)" (line 1, column 1)',
    `unexpected "v" expecting "not" or ${OPERATOR}`,
  ],
  [
    'id=',
    '"failed to parse filter ()" (line 1, column 1)',
    `unexpected end of input expecting "not" or ${OPERATOR}`,
  ],
  [
    'id=fts().value',
    '"failed to parse filter (fts().value)" (line 1, column 5)',
    `unexpected ")" expecting ${OPERATOR}`,
  ],
  [
    'id=eq().value',
    '"failed to parse filter (eq().value)" (line 1, column 4)',
    `unexpected ")" expecting ${OPERATOR}`,
  ],
  [
    'id=is().value',
    '"failed to parse filter (is().value)" (line 1, column 3)',
    `unexpected "(" expecting ${OPERATOR}`,
  ],
  [
    'id=in().value',
    '"failed to parse filter (in().value)" (line 1, column 3)',
    `unexpected "(" expecting ${OPERATOR}`,
  ],
  ['id=in.1', '"failed to parse filter (in.1)" (line 1, column 4)', 'unexpected "1" expecting "("'],
  [
    'id=in.(1',
    '"failed to parse filter (in.(1)" (line 1, column 6)',
    'unexpected end of input expecting "," or ")"',
  ],
  [
    'id=is.xyz',
    '"failed to parse filter (is.xyz)" (line 1, column 4)',
    'unexpected "x" expecting isVal: (null, not_null, true, false, unknown)',
  ],
  [
    'id=é',
    '"failed to parse filter (é)" (line 1, column 1)',
    String.raw`unexpected "\233" expecting "not" or ${OPERATOR}`,
  ],
  [
    'order=id.ac',
    '"failed to parse order (id.ac)" (line 1, column 4)',
    'unexpected "c" expecting "asc", "desc", "nullsfirst" or "nullslast"',
  ],
  [
    'order=id.descc',
    '"failed to parse order (id.descc)" (line 1, column 8)',
    'unexpected \'c\' expecting delimiter (.), "," or end of input',
  ],
  [
    'order=id.nulsfist',
    '"failed to parse order (id.nulsfist)" (line 1, column 4)',
    'unexpected "n" expecting "asc", "desc", "nullsfirst" or "nullslast"',
  ],
  [
    'order=id.nullslasttt',
    '"failed to parse order (id.nullslasttt)" (line 1, column 13)',
    'unexpected \'t\' expecting "," or end of input',
  ],
  [
    'order=id.smth34',
    '"failed to parse order (id.smth34)" (line 1, column 4)',
    'unexpected "s" expecting "asc", "desc", "nullsfirst" or "nullslast"',
  ],
  [
    'order=id.asc.nlsfst',
    '"failed to parse order (id.asc.nlsfst)" (line 1, column 8)',
    'unexpected "l" expecting "nullsfirst" or "nullslast"',
  ],
  [
    'order=id.asc.nullslasttt',
    '"failed to parse order (id.asc.nullslasttt)" (line 1, column 17)',
    'unexpected \'t\' expecting "," or end of input',
  ],
  [
    'order=id.asc.smth34',
    '"failed to parse order (id.asc.smth34)" (line 1, column 8)',
    'unexpected "s" expecting "nullsfirst" or "nullslast"',
  ],
  [
    'order=clients(name,id)',
    '"failed to parse order (clients(name,id))" (line 1, column 8)',
    `unexpected '(' expecting ${NAME_END}, delimiter (.), "," or end of input`,
  ],
  [
    'or=()',
    '"failed to parse logic tree (())" (line 1, column 4)',
    `unexpected ")" expecting ${FIELD}, negation operator (not) or logic operator (and, or)`,
  ],
  [
    'or=(id.in.1,2,id.eq.3)',
    '"failed to parse logic tree ((id.in.1,2,id.eq.3))" (line 1, column 10)',
    'unexpected "1" expecting "("',
  ],
  [
    'or=(arr.cs.{1,{2}},id.eq.1)',
    '"failed to parse logic tree ((arr.cs.{1,{2}},id.eq.1))" (line 1, column 14)',
    `unexpected "{" expecting ${FIELD}, negation operator (not) or logic operator (and, or)`,
  ],
  ['or=)(', '"failed to parse logic tree ()()" (line 1, column 3)', 'unexpected ")" expecting "("'],
  [
    'and=(ord(id.eq.1,id.eq.1),id.eq.2)',
    '"failed to parse logic tree ((ord(id.eq.1,id.eq.1),id.eq.2))" (line 1, column 7)',
    'unexpected "d" expecting "("',
  ],
  [
    'or=(id.eq.1,not.xor(id.eq.2,id.eq.3))',
    '"failed to parse logic tree ((id.eq.1,not.xor(id.eq.2,id.eq.3)))" (line 1, column 16)',
    'unexpected "x" expecting logic operator (and, or)',
  ],
  [
    'select=id,clients(name[])',
    '"failed to parse select parameter (id,clients(name[]))" (line 1, column 16)',
    `unexpected '[' expecting ${NAME_END}, "::", ".", ")", "," or end of input`,
  ],
  [
    'select=data->>-78xy',
    '"failed to parse select parameter (data->>-78xy)" (line 1, column 11)',
    'unexpected \'x\' expecting digit, "->", "::", ".", "," or end of input',
  ],
  [
    'select=data->>--34',
    '"failed to parse select parameter (data->>--34)" (line 1, column 9)',
    'unexpected "-" expecting digit',
  ],
  [
    'select=data->>-xy-4',
    '"failed to parse select parameter (data->>-xy-4)" (line 1, column 9)',
    'unexpected "x" expecting digit',
  ],
  [
    'select=data->(!@%23$%^%26*_d->>!@%23$%^%26*_e::integer',
    '"failed to parse select parameter (data->(!@#$%^&*_d->>!@#$%^&*_e::integer)" (line 1, column 7)',
    'unexpected "(" expecting "-", digit or any non reserved character different from: .,>()',
  ],
  [
    'select=name!hint',
    '"failed to parse select parameter (name!hint)" (line 1, column 5)',
    `unexpected '!' expecting ${NAME_END}, "::", ".", ")", "," or end of input`,
  ],
  [
    'select=id,*!hint',
    '"failed to parse select parameter (id,*!hint)" (line 1, column 5)',
    'unexpected \'!\' expecting ")", "," or end of input',
  ],
  [
    'select=name::',
    '"failed to parse select parameter (name::)" (line 1, column 7)',
    'unexpected end of input expecting letter or digit',
  ],
  [
    'columns=',
    '"failed to parse columns parameter ()" (line 1, column 1)',
    `unexpected end of input expecting ${FIELD}`,
  ],
  [
    'columns=:',
    '"failed to parse columns parameter (:)" (line 1, column 1)',
    `unexpected ":" expecting ${FIELD}`,
  ],
  [
    'on_conflict=',
    '"failed to parse on_conflict parameter ()" (line 1, column 1)',
    `unexpected end of input expecting ${FIELD}`,
  ],
  [
    '=eq.1',
    '"failed to parse tree path ()" (line 1, column 1)',
    `unexpected end of input expecting ${FIELD}`,
  ],
  [
    'a.=eq.1',
    '"failed to parse tree path (a.)" (line 1, column 3)',
    `unexpected end of input expecting ${FIELD}`,
  ],
  [
    '.or=(a.eq.1)',
    '"failed to parse logic path (.or)" (line 1, column 1)',
    `unexpected "." expecting ${FIELD}`,
  ],
  [
    'columns="a',
    '"failed to parse columns parameter ("a)" (line 1, column 3)',
    String.raw`unexpected end of input expecting "\\" or "\""`,
  ],
  [
    'id=a%0Ab',
    '"failed to parse filter (a\nb)" (line 1, column 1)',
    `unexpected "a" expecting "not" or ${OPERATOR}`,
  ],
  [
    'id=in.(1%0A,%09(x',
    '"failed to parse filter (in.(1\n,\t(x)" (line 2, column 11)',
    'unexpected end of input expecting "," or ")"',
  ],
])('%s: %s', async (query, message, details) => {
  expect(await refusalOf(`/items?${query}`)).toEqual({ status: 400, code: 'PGRST100', message, details })
})

it('refuses an argument of a call that begins like a filter', async () => {
  for (const value of ['in.x', 'is.x', 'not.x'])
    expect(await refusalOf(`/rpc/f?a=${value}`)).toMatchObject({ status: 400, code: 'PGRST100' })
})

it('parses filters of a call by POST as filters', async () => {
  const sent = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }
  expect(await refusalOf('/rpc/f?a=1', sent)).toMatchObject({ code: 'PGRST100' })
})
