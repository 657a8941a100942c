// Charts of machines: what is drawn, and when the hash changes.
import { assign, fromPromise, not, setup } from 'xstate'
import { describe, expect, test } from 'vitest'
import { machineChart, machineCharts } from '../../src/services/runtime/index.ts'
import { chartDiff, isSameMachine } from '../../src/trace/index.ts'

function createLamp(
  change: { readonly target?: 'off' | 'broken'; readonly guard?: string; readonly add?: number } = {},
) {
  const child = setup({}).createMachine({ id: 'bulb' })
  return setup({
    types: { context: {} as { n: number } },
    actors: { child, job: fromPromise(() => Promise.resolve(change.add ?? 0)) },
    actions: { count: assign({ n: ({ context }) => context.n + (change.add ?? 1) }), ring: () => undefined },
    guards: { isWhole: () => true, isTired: () => false },
    delays: { patience: 10 },
  }).createMachine({
    id: 'lamp',
    context: { n: 0 },
    initial: 'off',
    states: {
      off: {
        on: {
          press: {
            target: 'on',
            guard: change.guard === 'isTired' ? 'isTired' : 'isWhole',
            actions: 'count',
          },
        },
      },
      on: {
        tags: 'lit',
        description: 'It shines.',
        entry: 'ring',
        invoke: { src: 'job', id: 'burn', onDone: 'off', onError: { target: 'broken', actions: 'ring' } },
        on: { press: change.target ?? 'off', '*': { actions: 'count' } },
        after: { patience: { target: 'off', guard: not('isTired') } },
      },
      broken: { type: 'final' },
    },
  })
}

test('a machine is drawn with its states, transitions, guards, actions and invocations', () => {
  const none = { states: [], transitions: [], entry: [], exit: [], invoke: [], tags: [] }
  const chart = machineChart(createLamp())
  expect(chart).toEqual({
    id: 'lamp',
    hash: expect.stringMatching(/^[0-9a-f]{16}$/),
    root: {
      ...none,
      path: '',
      key: 'lamp',
      type: 'compound',
      initial: 'off',
      states: [
        {
          ...none,
          path: 'off',
          key: 'off',
          type: 'atomic',
          transitions: [{ event: 'press', targets: ['on'], guard: 'isWhole', actions: ['count'] }],
        },
        {
          ...none,
          path: 'on',
          key: 'on',
          type: 'atomic',
          description: 'It shines.',
          tags: ['lit'],
          entry: ['ring'],
          invoke: [{ id: 'burn', src: 'job' }],
          transitions: [
            { event: 'press', targets: ['off'], actions: [] },
            { event: '*', targets: [], actions: ['count'] },
            { event: 'done job', targets: ['off'], actions: [] },
            { event: 'error job', targets: ['broken'], actions: ['ring'] },
            { event: 'after patience', targets: ['off'], guard: 'not(isTired)', actions: [], delay: 10 },
          ],
        },
        { ...none, path: 'broken', key: 'broken', type: 'final' },
      ],
    },
  })
})

test('the hash follows structure and names, and not the code behind them', () => {
  const { hash } = machineChart(createLamp())
  expect(machineChart(createLamp({ add: 5 })).hash).toBe(hash)
  expect(machineChart(createLamp({ target: 'broken' })).hash).not.toBe(hash)
  expect(machineChart(createLamp({ guard: 'isTired' })).hash).not.toBe(hash)
})

test('machines provided by a machine are found', () => {
  expect(Object.keys(machineCharts(createLamp()))).toEqual(['lamp', 'bulb'])
})

describe('changes of behavior', () => {
  const create = (
    change: { reenter?: boolean; wait?: number; deep?: boolean; to?: string; words?: string } = {},
  ) =>
    machineChart(
      setup({ delays: { patience: change.wait ?? 10, mood: () => 5 } }).createMachine({
        id: 'work',
        initial: 'on',
        states: {
          on: {
            description: change.words ?? 'It works.',
            initial: 'idle',
            states: {
              idle: {},
              busy: {},
              back: {
                type: 'history',
                history: change.deep ? 'deep' : 'shallow',
                target: change.to ?? 'busy',
              },
            },
            on: { again: { target: '.busy', reenter: change.reenter ?? false } },
            after: { patience: 'off', mood: 'off', 20: 'off' },
          },
          off: { on: { go: 'on.back' } },
        },
      }),
    )

  test('reentering, kinds of history and fixed delays are recorded', () => {
    const [on] = create({ reenter: true, deep: true }).root.states
    expect(on?.transitions).toEqual([
      { event: 'again', targets: ['on.busy'], actions: [], reenter: true },
      { event: 'after 20', targets: ['off'], actions: [], delay: 20 },
      { event: 'after patience', targets: ['off'], actions: [], delay: 10 },
      { event: 'after mood', targets: ['off'], actions: [] },
    ])
    expect(on?.states[2]).toMatchObject({ type: 'history', history: 'deep', fallback: ['on.busy'] })
  })

  test.each([
    ['reentering', { reenter: true }, ['reenter']],
    ['a named delay', { wait: 11 }, ['delay']],
    ['a kind of history', { deep: true }, undefined],
    ['the default target of a history', { to: 'idle' }, undefined],
  ])('%s is in the hash and in the differences', (_, change, parts) => {
    const [then, now] = [create(), create(change)]
    expect(now.hash).not.toBe(then.hash)
    expect(isSameMachine(then, now)).toBe(false)
    expect(chartDiff(then, now).map(({ parts: changed }) => changed)).toEqual([parts])
  })

  test('descriptions are not', () => {
    expect(create({ words: 'It toils.' }).hash).toBe(create().hash)
  })
})
