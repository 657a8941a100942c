// Logic of the control panel: forms from examples, a chart's events, effect results, breakpoints, text
// formats.
import { describe, expect, test } from 'vitest'
import { machineChart } from '../../../../src/services/runtime/index.ts'
import { whyNot } from '../../../../src/ui/console/drive/begin-sandbox.ts'
import type { ReplayableTrace, TraceSource, StepRecord, Stimulus } from '../../../../src/trace/index.ts'
import { answersOf } from '../../../../src/ui/console/drive/effects-tab.tsx'
import { assertionOf, breaksAt, statePaths } from '../../../../src/ui/console/drive/breakpoints-tab.tsx'
import { eventTypes, examplesOf, fieldsOf, valueOf } from '../../../../src/ui/console/drive/payload.ts'
import { aheadText, leftTime, timerText } from '../../../../src/ui/console/drive/format-timer.ts'
import { lighthouse } from '../../../harness/lighthouse.ts'

const step = (seq: number, actor: number, event: StepRecord['event'], value?: StepRecord['value']) =>
  ({ line: 'step', seq, t: 0, actor, event, cause: -1, status: 'active', changed: true, value }) as StepRecord

const leaf = (from: number, event: unknown) =>
  ({ line: 'stimulus', seq: 0, t: 0, kind: 'leaf', to: 0, from, event }) as Stimulus

const source = (steps: readonly StepRecord[], stimuli: readonly Stimulus[] = []) =>
  ({
    actors: [
      { line: 'actor', index: 0, path: 'client', kind: 'machine', src: 'client' },
      {
        line: 'actor',
        index: 1,
        path: 'client/requests/request.12',
        parent: 0,
        kind: 'machine',
        src: 'request',
      },
      {
        line: 'actor',
        index: 2,
        path: 'client/requests/request.12/send#3',
        parent: 1,
        kind: 'callback',
        src: 'send',
      },
    ],
    steps,
    stimuli,
  }) as unknown as TraceSource

describe('a form', () => {
  const steer = (seq: number, more: object, actor = 0) => step(seq, actor, { type: 'steer', ...more })

  test('has the fields of the latest examples, and marks optional ones', () => {
    const trace = source([
      steer(0, { to: 'south', knots: 4, isHard: true, why: { wind: 5 } }),
      steer(1, { to: 'north', knots: 6 }),
      step(2, 0, { type: 'moor' }),
    ])
    expect(fieldsOf(examplesOf(trace, 'client', 'steer'))).toEqual([
      { key: 'to', type: 'text', options: [], isOptional: false, example: 'north' },
      { key: 'knots', type: 'number', options: [], isOptional: false, example: '6' },
      { key: 'isHard', type: 'choice', options: ['true', 'false'], isOptional: true, example: 'true' },
      { key: 'why', type: 'json', options: [], isOptional: true, example: '{"wind":5}' },
    ])
  })

  test('uses examples of the same machine, if there are any', () => {
    const trace = source([steer(0, { to: 'here' }, 1), steer(1, { to: 'there' })])
    expect([examplesOf(trace, 'request', 'steer'), examplesOf(trace, 'tab', 'steer')]).toEqual([
      [{ to: 'here' }],
      [{ to: 'there' }, { to: 'here' }],
    ])
  })

  test.each([
    ['number', '4.5', { value: 4.5 }],
    ['number', 'fast', { error: 'Enter a number' }],
    ['text', '', { value: '' }],
    ['choice', 'false', { value: false }],
    ['json', '[1]', { value: [1] }],
  ] as const)('reads %s from “%s”', (type, text, read) => {
    expect(valueOf({ key: 'k', type, isOptional: false, options: [], example: '' }, text)).toEqual(read)
  })

  test('omits empty optional fields; reports where JSON is invalid', () => {
    const field = { key: 'k', type: 'json', isOptional: true, options: [], example: '' } as const
    expect(valueOf(field, '')).toEqual({ value: undefined })
    expect(valueOf(field, '{')).toEqual({ error: expect.stringContaining('Invalid JSON') as unknown })
  })
})

describe('a chart', () => {
  const chart = machineChart(lighthouse(() => undefined, Promise.resolve(1)))

  test('lists the events handled now, and those handled elsewhere', () => {
    expect(eventTypes(chart, 'dark')).toEqual({ now: ['light', 'power'], later: ['dim', 'quench'] })
    expect(eventTypes(chart, 'burning')).toEqual({ now: ['dim', 'power', 'quench'], later: ['light'] })
  })

  test('has states for breakpoints', () => {
    expect(statePaths(chart)).toEqual(['dark', 'filling', 'burning'])
  })
})

describe('B', () => {
  const at = (event: string, value: StepRecord['value'], before?: StepRecord['value'], actor = 0) =>
    breaksAt(source([]).actors, step(1, actor, { type: event }, value), before)

  test('breaks on the states that the record entered, else on its event', () => {
    const both = { token: 'due', user: 'known' } as const
    expect(at('refreshed', both, { token: 'fresh', user: 'known' })).toEqual([
      { on: 'state', actor: 'client', state: 'token.due' },
    ])
    expect(at('clock.tick', both, both)).toEqual([{ on: 'event', actor: 'client', event: 'clock.tick' }])
  })

  test('pauses for every actor of the kind, whatever its number', () => {
    expect(at('go', 'sending', 'waiting', 1)).toEqual([
      { on: 'state', actor: 'client/requests/request.*', state: 'sending' },
    ])
    expect(at('go', undefined, undefined, 2)).toEqual([
      { on: 'event', actor: 'client/requests/request.*/send*', event: 'go' },
    ])
  })
})

test('an assertion is parsed, or rejected with a reason', () => {
  expect(assertionOf('calm', '{"never": {"state": "failed"}}')).toEqual({
    where: { on: 'assertion', assertion: { name: 'calm', check: { never: { state: 'failed' } } } },
  })
  expect(assertionOf('', '{"newer": {}}')).toEqual({ error: expect.stringContaining('never') as unknown })
})

test('effects list their recorded results, the latest of each kind', () => {
  const said = [{ type: 'answered', status: 500 }, { type: 'answered', status: 200 }, { type: 'failed' }]
  const stimuli = [...said.map(event => leaf(2, event)), leaf(1, { type: 'other' })]
  expect(answersOf(source([], stimuli), 'send')).toEqual([
    { type: 'failed' },
    { type: 'answered', status: 200 },
  ])
})

test('traces that can be branched from, and why others cannot', () => {
  const trace = (system: string, appVersion: string) =>
    ({ header: { system, appVersion }, tape: [], keyframes: [] }) as unknown as ReplayableTrace
  const systems = { chartroom: {} }
  const why = (system: string, appVersion: string) => whyNot(trace(system, appVersion), systems)
  const open =
    'To branch from this trace, open it in the console of that app, attached with Chartroom’s recorder.'
  expect([why('chartroom', ''), why('tiles', ''), why('tiles', '1.2')]).toEqual([
    undefined,
    `The machines of “tiles” are not available here. The trace contains inspection events, not the inputs needed to replay them. ${open}`,
    `The machines of “tiles” are not available here. Machines are code, and recordings contain no code. ${open}`,
  ])
})

test('times are formatted for readers', () => {
  expect([840, 12_340, 245_000, 3_725_000].map(leftTime)).toEqual(['0.84 s', '12.3 s', '4:05', '1:02:05'])
  expect([20, -59_000, 2_000].map(aheadText)).toEqual(['', '59.0 s behind', '2.00 s ahead'])
  const after = { event: { type: 'xstate.after.untilDue.refresh.active.schedule' } }
  expect([timerText(after), timerText({ event: { type: 'look' } })]).toEqual(['after untilDue', 'look'])
})
