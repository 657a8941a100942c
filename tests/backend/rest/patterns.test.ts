// Patterns in filters: ordinary ones work as in PostgreSQL, and none blocks other requests.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { refusePatterns } from '../../../backend/rest/patterns.ts'
import { testOnPglite } from '../../harness/engine.ts'
import { startWorld } from './world.ts'

const { ask } = await startWorld(`
  create table notes (id int primary key, body text);
  create table replies (id int primary key, note int references notes, body text);
  insert into notes values (1, 'Fog at dawn'), (2, 'clear'), (3, 'mail to a.b@aldmouth.test'), (4, '[x]');
  insert into replies values (1, 1, 'Fog');
  create function all_notes() returns setof notes language sql stable as 'select * from notes';
`)

const match = (pattern: string, operator = 'match') =>
  `notes?select=id&body=${operator}.${encodeURIComponent(pattern)}`

test.each([
  ['^Fog', [1]],
  ['^(fog|clear)\\y.*$', [2]],
  ['\\mdawn\\M', [1]],
  ['[[:<:]]at[[:>:]]', [1]],
  ['^[^@]*$', [1, 2, 4]],
  ['[A-Za-z0-9._%+-]{1,64}@[a-z0-9.-]+\\.[a-z]{2,}', [3]],
  ['^[[\\]x]+$', [4]],
  ['(?i)^FOG', [1]],
  ['(^|\\s)at(\\s|$)', [1]],
  ['^Fog$|^clear$|^a$|^b$|^c$|^d$|^e$|^f$|^g$|^h$', [2]],
  ['^.{3,255}$', [1, 2, 3, 4]],
  ['^(\\w+\\s?)+$', [1, 2]],
])('%s finds the expected rows', async (pattern, ids) => {
  const { status, body } = await ask('GET', match(pattern))
  expect([status, body]).toEqual([200, ids.map(id => ({ id }))])
})

const TOO_LARGE = 'the pattern is too large when its repetitions are expanded'
const ANCHORS = 'the pattern has too many anchors'
const BEYOND = 'lookaround and backreferences are not supported'
const UNBALANCED = 'brackets or parentheses () not balanced'
const OTHER = 'other kinds of regular expressions are not supported'

testOnPglite.each([
  ['(a?b?c?d?){0,100}', TOO_LARGE],
  ['((a{1,20}){1,20}){1,20}', TOO_LARGE],
  ['a'.repeat(301), TOO_LARGE],
  ['x{99999999999999999999}', TOO_LARGE],
  ['[[:alpha:](a|^|$)*', UNBALANCED],
  ['(?#(a|^|$', UNBALANCED],
  ['(a|^|$)*'.repeat(8), ANCHORS],
  ['(((((\\w){1,3})*|^){0,20}|(..b*)+|b)+)+', TOO_LARGE],
  ['(\\w{9}^){20}', ANCHORS],
  ['[[:alpha:](](a|^|$)*'.repeat(8), ANCHORS],
  ['((\\y\\y\\y\\y\\y\\y\\y\\y|b)+)+', ANCHORS],
  ['(?#()(a|^|$)*'.repeat(8), ANCHORS],
  ['(?=.*a)b', BEYOND],
  ['(a*)*\\1b', BEYOND],
  ['(?x)a', OTHER],
  ['***:a', OTHER],
])('rejects %s with its reason', async (pattern, reason) => {
  const { status, body } = await ask('GET', match(pattern))
  expect([status, body]).toEqual([
    400,
    {
      code: '2201B',
      message: `invalid regular expression: ${reason}`,
      details: `The pattern is ${pattern}`,
      hint: 'PostgreSQL runs inside this process, where a slow pattern would block all requests.',
    },
  ])
})

const slow = encodeURIComponent('(a?b?c?d?){0,100}')

testOnPglite.each([
  ['GET', `notes?body=imatch.${slow}`],
  ['GET', `notes?body=not.match.${slow}`],
  ['GET', `notes?body=match(any).{x,"${slow}"}`],
  ['GET', `notes?body=imatch(all).{"${slow}"}`],
  ['GET', `notes?or=(id.eq.1,and(body.not.imatch."${slow}"))`],
  ['GET', `notes?select=id,replies(id)&replies.body=match.${slow}`],
  ['GET', `notes?select=id,replies!inner(id)&replies.or=(body.match."${slow}")`],
  ['GET', `rpc/all_notes?body=match.${slow}`],
  ['DELETE', `notes?body=match.${slow}`],
  ['PATCH', `notes?body=match.${slow}`],
  ['HEAD', `notes?body=match.${slow}`],
])('%s %s is rejected wherever the pattern is', async (method, path) => {
  const { status } = await ask(method, path, method === 'PATCH' ? { body: { body: 'x' } } : {})
  expect(status).toBe(400)
})

const like = (pattern: string, operator = 'like') =>
  `notes?select=id&body=${operator}.${encodeURIComponent(pattern)}`

test.each([
  ['*a_*', [1, 2, 3]],
  [`Fog at dawn${'%'.repeat(50)}`, [1]],
  [`${'c'.repeat(600)}*`, []],
  [`*${'_'.repeat(250)}*`, []],
])('like %s finds the expected rows', async (pattern, ids) => {
  const { status, body } = await ask('GET', like(pattern))
  expect([status, body]).toEqual([200, ids.map(id => ({ id }))])
})

const COSTLY = `*${'ab'.repeat(4_000)}c*`
const AFTER_WILDCARD = 'the patterns of a request have more than 300 characters after a wildcard'

testOnPglite.each([
  [COSTLY, 'the pattern is longer than 1000 characters'],
  [`*${'a'.repeat(301)}`, AFTER_WILDCARD],
  ['*a'.repeat(101), 'the patterns of a request have more than 100 wildcards'],
])('rejects like %s with its reason', async (pattern, reason) => {
  const { status, body } = await ask('GET', like(pattern))
  expect([status, body]).toMatchObject([400, { code: '22025', message: `invalid like pattern: ${reason}` }])
  expect(JSON.stringify(body).length).toBeLessThan(1_000)
})

const long = `%25${'ab'.repeat(100)}c%25`

testOnPglite.each([
  ['GET', `notes?body=like.${COSTLY}`],
  ['GET', `notes?body=ilike.${COSTLY}`],
  ['GET', `notes?body=not.ilike.${COSTLY}`],
  ['GET', `notes?body=like(any).{x,"${COSTLY}"}`],
  ['GET', `notes?body=ilike(all).{"${long}","${long}"}`],
  ['GET', `notes?or=(id.eq.1,and(body.not.ilike."${COSTLY}"))`],
  ['GET', `notes?or=(body.like."${long}",body.ilike."${long}")`],
  ['GET', `notes?not.or=(body.like."${long}",not.and(body.ilike."${long}",id.gt.1))`],
  ['GET', `notes?select=id,replies(id)&replies.body=like.${COSTLY}`],
  ['GET', `rpc/all_notes?body=ilike.${COSTLY}`],
  ['DELETE', `notes?body=like.${COSTLY}`],
  ['PATCH', `notes?body=like.${COSTLY}`],
  ['GET', `notes?or=(${Array.from({ length: 40 }, () => 'body.match.aaaaaaaaaa').join()})`],
])('%s %s is rejected wherever its patterns are', async (method, path) => {
  const { status } = await ask(method, path, method === 'PATCH' ? { body: { body: 'x' } } : {})
  expect(status).toBe(400)
})

describe('the check itself takes time in proportion to the pattern', () => {
  const PIECES =
    '[ ] [: :] [. .] [= =] ( (?: (?# ) (?= {1,2} {2} {9,} { } , \\ \\y \\1 ^ $ * + ? a 1 | [[:<:]] [^ \\A - ='.split(
      ' ',
    )
  const check = (pattern: string) => {
    for (const operator of ['~', '~*', 'like', 'ilike'])
      try {
        refusePatterns(`a ${operator} $1`, [pattern])
      } catch (error) {
        expect(error).toMatchObject({ name: 'PatternError' })
      }
  }
  const fastest = (run: () => void) =>
    Math.min(
      ...[1, 2, 3].map(() => {
        const start = performance.now()
        run()
        return performance.now() - start
      }),
    )

  test.each([...PIECES, '[:[', '[[:', '([:', '{1{', '(?#('])('%s, repeated', piece => {
    // The maximum length of a pattern, and of a URL.
    for (const size of [999, 32_000]) {
      const pattern = piece.repeat(size / piece.length)
      expect(fastest(() => check(pattern))).toBeLessThan(100)
    }
  })

  test('any mixture of elements', () => {
    const piece = fc.constantFrom(...PIECES)
    const mixture = fc
      .tuple(fc.array(piece, { maxLength: 20 }), fc.array(piece, { minLength: 1, maxLength: 6 }))
      .map(([before, again]) => before.join('') + again.join('').repeat(1_000 / again.length))
    fc.assert(
      fc.property(mixture, pattern => {
        expect(fastest(() => check(pattern.slice(0, 1_000)))).toBeLessThan(100)
      }),
      { numRuns: 300 },
    )
  })
})
