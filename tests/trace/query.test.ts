// The query language: what is parsed, what is reported about errors, and which steps match.
import { describe, expect, it } from 'vitest'
import {
  compileQuery,
  type DeepTerm,
  matchesDeep,
  textOfTerm,
  parseQuery,
  LiveFeed,
  type StepRecord,
} from '../../src/trace/index.ts'
import { actorEntries, traceSource, stepRecords } from '../ui/console-trace.ts'

const actors = actorEntries(
  ['client', 'client'],
  ['client/session', 'session'],
  ['client/requests', 'requests'],
  ['client/requests/request.1', 'request'],
)
const steps = stepRecords([
  { actor: 0, type: 'xstate.init', value: 'running' },
  { actor: 1, type: 'xstate.init', value: 'booting', from: 0, by: 0 },
  { actor: 1, type: 'token.read', value: { in: { token: 'fresh' } } },
  { actor: 3, type: 'TOKEN_WANTED', value: 'sending', t: 30, from: 2 },
  { actor: 3, type: 'send.failed', value: 'waiting', t: 900, by: 3 },
  { actor: 0, type: 'told', changed: false, value: 'running', t: 950, by: 4 },
  { actor: 1, type: 'ended', status: 'done', value: 'gone', t: 960 },
])
const [first, ...others] = steps
if (!first) throw new Error('there are steps')
const failing = others[3]
if (failing) others[3] = { ...failing, event: { ...failing.event, faultId: 'squall#2' } }

function found(text: string): number[] {
  const feed = new LiveFeed(traceSource({ actors, steps: [first as StepRecord, ...others] }))
  feed.advance(100)
  const { timeline } = feed
  const { test, deep } = compileQuery(parseQuery(text), timeline)
  expect(deep).toEqual([])
  return steps.map(({ seq }) => seq).filter(test)
}

describe('a query', () => {
  it.each([
    ['', [0, 1, 2, 3, 4, 5, 6]],
    ['actor:session', [1, 2, 6]],
    ['actor:requests/*', [3, 4]],
    ['actor:requests.*', [3, 4]],
    ['actor:session,request.1 -token', [1, 4, 6]],
    ['type:TOKEN_*', [3]],
    ['type:token', [2, 3]],
    ['state:in.token.fresh', [2]],
    ['state:wait*', [4]],
    ['from:app', [0, 2, 4, 5, 6]],
    ['from:requests', [3]],
    ['src:request', [3, 4]],
    ['status:done', [6]],
    ['fault:squall#2', [4]],
    ['noop', [5]],
    ['-noop actor:client -actor:client/*', [0]],
    ['failed', [4]],
    ['injected', [4]],
    ['caused-by:#3', [3, 4, 5]],
    ['caused-by:3 -#3', [4, 5]],
    ['dur>500ms', [0, 2, 3]],
    ['dur>=0.9s', [0, 2]],
    ['at<20ms', [0, 1]],
    ['moved actor:client -actor:*/*', [0]],
    ['"xstate.init" boot', [1]],
    ['#4', [4]],
    ['nothing-like-it', []],
  ])('%s', (text, seqs) => {
    expect(parseQuery(text).errors).toEqual([])
    expect(found(text)).toEqual(seqs)
  })

  it.each([
    ['actro:session', 'There is no actro:; did you mean actor:?', 0],
    ['x dur>soon', 'dur> needs a time, e.g. 500ms or 2s.', 2],
    ['size>3', 'size cannot be compared; dur and at can, e.g. dur>500ms.', 0],
    ['caused-by:him', 'caused-by needs the number of an event, e.g. #812.', 0],
    ['changed:exp', 'changed: needs a path that starts with /, e.g. changed:/session/exp.', 0],
    ['type:', 'type: needs a value: event type.', 0],
  ])('%s is not understood, and it is said why and where', (text, message, from) => {
    expect(parseQuery(text).errors).toEqual([{ message, from, to: text.length }])
  })

  it('ignores what it does not understand and keeps the rest', () => {
    expect(found('dur>soon failed')).toEqual([4])
  })

  it('treats a colon without a key before it as text', () => {
    expect(parseQuery('realtime:bridge:join').terms.map(({ wanted }) => wanted)).toEqual([
      { kind: 'text', text: 'realtime:bridge:join' },
    ])
  })

  it('knows the location of each term, so that a chip can be negated', () => {
    const query = parseQuery('  -noop  type:"a b"')
    expect(query.terms.map(({ from, to, negated }) => [from, to, negated])).toEqual([
      [2, 7, true],
      [9, 19, false],
    ])
    const [noop, type] = query.terms
    if (!noop || !type) throw new Error('there are two')
    expect([
      textOfTerm(query, noop),
      textOfTerm(query, noop, false),
      textOfTerm(query, type, true),
      type.wanted,
    ]).toEqual(['-noop', 'noop', '-type:"a b"', { kind: 'key', key: 'type', any: ['a b'] }])
  })

  it('returns the part that needs whole records', () => {
    const timeline = new LiveFeed(traceSource({ actors: [], steps: [] })).timeline
    const { deep } = compileQuery(parseQuery('changed:/a -context:/a/b=1 event:/id holds:rope'), timeline)
    expect(deep).toEqual([
      { negated: false, term: { kind: 'changed', path: '/a' } },
      { negated: true, term: { kind: 'context', path: '/a/b', value: '1' } },
      { negated: false, term: { kind: 'event', path: '/id' } },
      { negated: false, term: { kind: 'holds', text: 'rope' } },
    ])
  })
})

describe('matchesDeep', () => {
  const [was, is] = stepRecords([
    { actor: 0, type: 'a', context: { session: { exp: 1, name: 'x' }, list: [1, { id: 7 }] } },
    { actor: 0, type: 'b', context: { session: { exp: 2, name: 'x' }, list: [1, { id: 7 }] } },
  ])
  if (!was || !is) throw new Error('there are two')

  it.each<readonly [DeepTerm, boolean]>([
    [{ kind: 'changed', path: '/session/exp' }, true],
    [{ kind: 'changed', path: '/session/name' }, false],
    [{ kind: 'changed', path: '/list' }, false],
    [{ kind: 'context', path: '/list/1/id', value: '7' }, true],
    [{ kind: 'context', path: '/list/1/id', value: '8' }, false],
    [{ kind: 'context', path: '/session/name', value: 'x' }, true],
    [{ kind: 'context', path: '/nobody' }, false],
    [{ kind: 'event', path: '/type', value: 'b*' }, true],
    [{ kind: 'holds', text: 'SESSION' }, true],
    [{ kind: 'holds', text: 'anchor' }, false],
  ])('%j', (term, expected) => {
    expect(matchesDeep(term, is, was)).toBe(expected)
  })

  it('treats the first value of an actor as a change', () => {
    expect([
      matchesDeep({ kind: 'changed', path: '/session/exp' }, was, undefined),
      matchesDeep({ kind: 'changed', path: '/nobody' }, was, undefined),
    ]).toEqual([true, false])
  })
})
