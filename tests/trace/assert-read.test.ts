// Assertions as plain data: what the functions create can be written as JSON, and errors are reported with
// their location.
import { expect, test } from 'vitest'
import {
  after,
  alternates,
  always,
  and,
  assertion,
  atMost,
  atRest,
  calms,
  closes,
  count,
  each,
  eventually,
  never,
  not,
  or,
  precedes,
  responds,
  readAssertions,
} from '../../src/trace/index.ts'

const [a, b] = [
  { event: 'a', with: { n: { atLeast: 2, oneOf: [2, 3] } } },
  { src: ['x', 'y*'], state: 'up' },
]
const span = { from: a, to: b, by: ['event.id', 'parent.context.id'] } as const

test('what the functions create is unchanged by JSON', () => {
  const made = [
    always(a, { where: b, says: 'no {event.n}', about: 'root' }),
    never({
      all: [a, { not: b }],
      inside: { span, by: 'actor' },
      happened: { step: a, during: { life: b } },
    }),
    eventually(
      { context: { 'x.y': { is: { ref: 'was.context.x.y' } } }, was: { state: '**.up' } },
      { within: '5 s' },
    ),
    precedes(a, b, { by: 'context.id' }),
    responds(a, b, { within: { steps: 3 }, unless: { root: true, status: ['done', 'stopped'] } }),
    after(a, never(b), { until: { ended: 'earlier' } }),
    each('actor', atMost(1, { during: { children: { above: 1 } } }), { of: a }),
    and(alternates(span), closes(span, { within: { awake: '2 min' } })),
    or(count(a, { least: 1, most: 2 }), not(atRest(a, { parent: { ended: true } }))),
    calms({ during: b }, 10, { stirredBy: a, pausedWhile: span }),
  ].map((formula, index) => assertion(`number ${index}`, formula, 'As text.'))
  const plain: unknown = JSON.parse(JSON.stringify({ assertions: made }))
  expect(readAssertions(plain)).toEqual({ kind: 'assertions', assertions: made })
})

test.each<readonly [unknown, readonly string[]]>([
  [7, ['$ must be a list, not 7']],
  [[], ['$ must not be empty']],
  [{ assertions: {} }, ['$.assertions must be a list, not {}']],
  [[{ name: 'x' }], ['$[0] is an assertion and lacks "check"']],
  [
    [{ name: '', check: { never: {} }, nmae: 1 }],
    ['$[0].name must be a string, not ""', '$[0].nmae is not allowed in an assertion; did you mean "name"?'],
  ],
  [
    [{ name: 'x', check: { nevr: {} } }],
    ['$[0].check.nevr is not allowed in a formula; did you mean "never"?'],
  ],
  [
    [{ name: 'x', check: { says: 'y' } }],
    [
      '$[0].check contains no formula: it needs one of always, never, eventually, precedes, responds, after, each, atMost, closes, alternates, calms, count, atRest, all, any, not',
    ],
  ],
  [
    [{ name: 'x', check: 'never' }],
    ['$[0].check must be a formula, e.g. {"never": {"state": "failed"}}, not a string'],
  ],
  [
    [{ name: 'x', check: { never: { sttae: 'up', context: { n: { abvoe: 2 } } } } }],
    [
      '$[0].check.never.sttae is not allowed in a step pattern; did you mean "state"?',
      '$[0].check.never.context.n.abvoe is not allowed in a comparison; did you mean "above"?',
    ],
  ],
  [
    [{ name: 'x', check: { responds: {}, within: 'soon' } }],
    [
      '$[0].check.within must be milliseconds, or text such as "250 ms", "30 s", "5 min", "2 h", not "soon"',
      '$[0].check is the formula "responds" and lacks "to"',
    ],
  ],
  [
    [{ name: 'x', check: { each: 'evnt.id', holds: { never: { status: 'gone' } } } }],
    [
      '$[0].check.each must be a path that begins with actor, src, context, event, output, error, status, state, children, from, t or seq, or with parent. or was. before these, not "evnt.id"',
      '$[0].check.holds.never.status must be one of active, done, error, stopped, not "gone"; did you mean "done"?',
    ],
  ],
  [
    [{ name: 'x', check: { atMost: 1.5, of: {} } }],
    [
      '$[0].check.atMost must be a whole number, not 1.5',
      '$[0].check.of must be a span: {"life": …}, {"during": …} or {"from": …, "to": …}',
    ],
  ],
  [
    [
      { name: 'x', check: { never: {} } },
      { name: 'x', check: { never: {} } },
    ],
    ['$[1].name "x" is already the name of another assertion'],
  ],
  [
    JSON.parse('[{"name": "x", "check": {"never": {"__proto__": {"event": "a"}}}}]'),
    ['$[0].check.never.__proto__ is not allowed in a step pattern'],
  ],
])('%j', (value, messages) => {
  const read = readAssertions(value)
  expect(read.kind === 'unusable' && read.problems.map(({ at, message }) => `${at} ${message}`)).toEqual(
    messages,
  )
})

test('endless nesting is rejected, and the message stays readable', () => {
  let deep: unknown = { never: {} }
  for (let level = 0; level < 10_000; level++) deep = { not: deep }
  expect(readAssertions([{ name: 'x', check: deep }])).toEqual({
    kind: 'unusable',
    problems: [{ at: '$', message: 'is nested more than 64 levels deep' }],
  })
  const read = readAssertions(Array.from({ length: 1_000 }, () => 7))
  expect(read.kind === 'unusable' && read.problems).toHaveLength(20)
})
