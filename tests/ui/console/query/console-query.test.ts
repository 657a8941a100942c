// The query field: completions at the caret, and text edits by chips.
import { describe, expect, it, test } from 'vitest'
import { parseQuery } from '../../../../src/trace/index.ts'
import { memoryTrace } from '../../../../src/ui/console/model/shown-trace.ts'
import { beginnings, complete } from '../../../../src/ui/console/query/completion.ts'
import { withOpposite, withoutPart } from '../../../../src/ui/console/query/query-chips.tsx'
import { actorEntries, traceSource, stepRecords } from '../../console-trace.ts'

const trace = memoryTrace(
  traceSource({
    actors: actorEntries(
      ['client', 'client'],
      ['client/session', 'session'],
      ['client/session/read keys', 'readKeys'],
    ),
    steps: stepRecords([
      { actor: 1, type: 'token.read', value: { in: 'fresh' } },
      { actor: 1, type: 'session.told', value: 'out' },
    ]),
  }),
)
trace.feed.advance(10)

const offers = (text: string, caret = text.length) => {
  const { from, to, offers: all } = complete(text, caret, trace.timeline)
  return [text.slice(from, to), all.map(offer => offer.text)]
}

describe('complete', () => {
  it.each([
    ['ac', 'ac', ['actor:']],
    ['-no', '-no', ['-noop']],
    ['noop du', 'du', ['dur>']],
    ['actor:s', 'actor:s', ['actor:session', 'actor:"session/read keys"', 'actor:client'].slice(0, 2)],
    ['type:TO', 'type:TO', ['type:token.read', 'type:session.told']],
    ['state:', 'state:', ['state:in', 'state:in.fresh', 'state:out']],
    ['status:active,d', 'status:active,d', ['status:active,done', 'status:active,stopped']],
    ['holds:x', 'holds:x', []],
  ])('%s: replaces %s', (text, word, all) => {
    expect(offers(text)).toEqual([word, all])
  })

  it('completes the word at the caret, at any position', () => {
    expect(offers('type:to noop', 7)).toEqual(['type:to', ['type:token.read', 'type:session.told']])
  })
})

test('offers recent queries, then keys, in an empty field', () => {
  const offered = (past: readonly string[]) => beginnings(past).offers.map(({ text }) => text)
  const keys = ['actor:', 'type:', 'state:', 'from:', 'src:', 'status:', 'fault:', 'changed:']
  expect(offered([])).toEqual(keys)
  expect(offered(['one', 'two', 'three', 'four', 'five'])).toEqual([
    'one',
    'two',
    'three',
    'four',
    ...keys.slice(0, 4),
  ])
})

describe('chips', () => {
  const query = parseQuery('actor:session  -noop "two words"')
  const [actor, noop, words] = query.terms
  if (!actor || !noop || !words) throw new Error('there are three terms')

  it('are removed with their space', () => {
    expect([actor, noop, words].map(term => withoutPart(query, term))).toEqual([
      '-noop "two words"',
      'actor:session "two words"',
      'actor:session -noop',
    ])
  })

  it('are negated and restored', () => {
    expect(withOpposite(query, noop)).toBe('actor:session  noop "two words"')
    expect(withOpposite(query, words)).toBe('actor:session  -noop -"two words"')
  })
})
