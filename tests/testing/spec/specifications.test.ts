// The checks of `@chartroom/devtools/testing` notice planted defects in a machine that is not ours, and nothing else.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { createMachine, raise, setup } from 'xstate'
import { getAdjacencyMap } from 'xstate/graph'
import {
  checkPairs,
  explore,
  lintMachine,
  machinePage,
  randomRuns,
  replayRun,
  specify,
} from '../../../src/public/devtools/testing.ts'
import '../../../src/public/devtools/vitest.ts'
import { lintCommand } from '../../../src/cli/lint.ts'
import { ran } from '../../harness/command.ts'
import { type Order, orderSpec, parcelSpec } from './order.ts'

const RUNS = { runs: 300, seed: 1 }

describe('a sound machine', () => {
  test.each([
    ['order', orderSpec()],
    ['parcel', parcelSpec],
  ])('%s passes every check', async (_, spec) => {
    expect(checkPairs(spec)).toEqual({ unexplained: [], stale: [] })
    expect(explore(spec)).toMatchObject({ unreachable: [], deadEnds: [] })
    // In a run of an order, its parcel is not scanned.
    const unvisited = spec === parcelSpec ? [] : ['done']
    expect(await randomRuns(spec, RUNS)).toEqual({ outcome: 'passed', runs: 300, unvisited })
    expect(lintMachine(spec)).toEqual([])
  })
})

describe('a defect', () => {
  const check = async (order: Partial<Order>) => {
    const spec = orderSpec(order)
    const { unexplained } = checkPairs(spec)
    const { unreachable, deadEnds } = explore(spec)
    const result = await randomRuns(spec, RUNS)
    return {
      unexplained: unexplained.map(({ state, event }) => `${state} ${event}`),
      unreachable,
      deadEnds: deadEnds.length,
      random: result.outcome === 'failed' ? result.findings : [],
    }
  }

  test('an event that a state no longer handles', async () => {
    expect((await check({ canCancel: false })).unexplained).toEqual(['paying order.cancel'])
  })

  test('a state without a way out', async () => {
    const { unexplained, deadEnds, random } = await check({ hasExit: false })
    expect(unexplained).toEqual(['failed order.place', 'failed order.cancel'])
    expect(deadEnds).toBeGreaterThan(0)
    expect(random).toEqual(['calm left it in "failed"'])
  })

  test('a guard that always fails hides a state', async () => {
    expect((await check({ limit: 0, failed: 'failed' })).unreachable).toEqual([])
    expect((await check({ limit: 99, canLose: false })).unreachable).toEqual(['refused'])
  })

  test('an error that no state handles', async () => {
    const { unexplained, random } = await check({ handlesError: false })
    expect(unexplained).toEqual(['paying error pay'])
    expect(random).toEqual(['it failed: Error: The card was declined.'])
  })

  test('an action that throws', async () => {
    const spec = orderSpec()
    const result = await randomRuns(spec, {
      ...RUNS,
      change: machine =>
        machine.provide({
          actions: {
            count: () => {
              throw new Error('planted')
            },
          },
        }),
    })
    expect(result).toMatchObject({
      outcome: 'failed',
      findings: expect.arrayContaining(['it failed: Error: planted']),
    })
  })

  test('the shortest failing run is repeatable', async () => {
    const spec = orderSpec({ hasExit: false })
    const result = await randomRuns(spec, RUNS)
    if (result.outcome === 'passed') throw new Error('It should have failed.')
    expect(result.sequence.steps.length).toBeLessThanOrEqual(2)
    expect(replayRun(spec, result.sequence)).toEqual(result.findings)
  })
})

test('a state that is left in the same step is reached', async () => {
  const machine = setup({ types: { events: {} as { type: 'go' } | { type: 'on' } } }).createMachine({
    id: 'steps',
    initial: 'first',
    states: {
      first: {
        initial: 'open',
        states: { open: { on: { go: 'over' } }, over: { type: 'final' } },
        onDone: 'second',
      },
      second: { entry: raise({ type: 'on' }), on: { on: 'third' } },
      third: {},
      never: {},
    },
  })
  const spec = specify(machine, {
    about: 'Passes through two states at once.',
    events: { go: [{}], on: [{}] },
    raised: ['on'],
    settling: [{ type: 'go' }],
    rests: snapshot => snapshot.matches('third'),
  })
  expect(explore(spec)).toMatchObject({ unreachable: ['never'], deadEnds: [] })
  expect(await randomRuns(spec, RUNS)).toMatchObject({ outcome: 'passed', unvisited: ['never'] })
})

test('the matchers of @chartroom/devtools/vitest say what is wrong', async () => {
  expect(orderSpec()).toHandleEveryEvent()
  expect(orderSpec()).toReachEveryState()
  await expect(orderSpec()).toPassRandomRuns(RUNS)
  const broken = orderSpec({ hasExit: false })
  expect(() => expect(broken).toHandleEveryEvent()).toThrow('order.place is not handled in failed.')
  expect(() => expect(broken).toReachEveryState()).toThrow('Nothing leads on from active "failed"')
  await expect(expect(broken).toPassRandomRuns(RUNS)).rejects.toThrow('calm left it in "failed"')
  expect(() => expect({}).toReachEveryState()).toThrow('Expected a specification')
})

test('a page has the states, the transitions, the ports and the reasons', () => {
  const page = machinePage(orderSpec(), { title: 'Order', drawing: 'order.svg' })
  expect(page.split('\n').filter(line => line.startsWith('#') || line.startsWith('!'))).toEqual([
    '# Order',
    '![Statechart of order](order.svg)',
    '## States',
    '## Transitions',
    '## Ports',
    '## Ignored on purpose',
  ])
  expect(page).toContain('| `pay` | Charges the card. |')
})

describe('lint', () => {
  const folder = mkdtempSync(join(tmpdir(), 'chartroom-lint-'))
  const xstate = JSON.stringify(import.meta.resolve('xstate'))
  const file = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, `import { and, assign, createMachine, setup } from ${xstate}\n${text}`)
    return path
  }
  afterAll(() => rmSync(folder, { recursive: true }))

  test('reports names that are missing, and what can never be used', async () => {
    const path = file(
      'machine.mjs',
      `export const order = createMachine({ id: 'order', initial: 'a', states: {
        a: { entry: () => {}, after: { slow: 'b' }, on: {
          GO: [{ target: 'b' }, { target: 'c' }],
          SET: { guard: () => true, actions: assign({ n: 1 }), target: 'b' },
          BOTH: { guard: and(['isOpen', () => true]), target: 'c' } } },
        b: { invoke: { src: 'load' } },
        c: {},
        d: { initial: 'e', states: { e: {} } } } })`,
    )
    const { code, out } = await ran(lintCommand, path, '--json')
    const { machines, findings } = JSON.parse(out) as {
      readonly machines: number
      readonly findings: readonly {
        readonly rule: string
        readonly state: string
        readonly message: string
      }[]
    }
    expect([code, machines]).toEqual([1, 1])
    expect(findings.map(({ state, rule }) => `${state} ${rule}`)).toEqual([
      'a anonymous',
      'a built-in',
      'a anonymous',
      'a anonymous',
      'a not-implemented',
      'a not-implemented',
      'a unreachable-transition',
      'b not-implemented',
      'd unreachable-state',
    ])
    expect(findings.filter(({ rule }) => rule === 'not-implemented').map(({ message }) => message)).toEqual([
      'The guard isOpen is not implemented: add it to setup({ guards }).',
      'The delay slow is not implemented: add it to setup({ delays }).',
      'The actor load is not implemented: add it to setup({ actors }).',
    ])
  })

  test('finds nothing wrong with a machine that names everything', async () => {
    const path = file(
      'sound.mjs',
      `export const lamp = setup({ actions: { shine: () => {} }, guards: { isDark: () => true } }).createMachine({
        id: 'lamp', initial: 'off', states: {
          off: { on: { PRESS: { guard: and(['isDark', 'isDark']), target: 'on' } } },
          on: { entry: 'shine', on: { PRESS: 'off' } } } })
      export const registry = { same: lamp }`,
    )
    expect(await ran(lintCommand, path)).toEqual({
      code: 0,
      out: '1 machine checked: nothing found.\n',
      err: '',
    })
  })

  test.each([
    ['export const number = 4', /exports no machine and no specification \(it exports number\)/],
    ['export const = 4', /can't be loaded/],
  ])('says what is wrong with %j', async (text, message) => {
    const { code, err } = await ran(lintCommand, file(`wrong-${text.length}.mjs`, text))
    expect(code).toBe(2)
    expect(err).toMatch(message)
  })

  test('--pairs lists what states do not handle', async () => {
    const path = file(
      'pairs.mjs',
      `export const lamp = createMachine({ id: 'lamp', initial: 'off', states: {
        off: { on: { PRESS: 'on' } }, on: { on: { PRESS: 'off', BREAK: 'broken' } }, broken: { type: 'final' } } })`,
    )
    expect((await ran(lintCommand, path)).code).toBe(0)
    const { code, out } = await ran(lintCommand, path, '--pairs')
    expect(code).toBe(1)
    expect(out).toContain('lamp.off: BREAK can arrive and is not handled')
    expect(out).toContain('1 machine checked: 1 found.')
  })

  test('explores the specifications of a module', async () => {
    const { code, out } = await ran(lintCommand, 'tests/testing/spec/order.ts')
    expect([code, out]).toEqual([0, '1 machine checked: nothing found.\n'])
  })
})

test('unreachable states of random machines are those that xstate/graph does not reach', () => {
  const size = 8
  const targets = fc.array(fc.nat({ max: size - 1 }), { maxLength: 2 })
  const charts = fc.array(targets, { minLength: size, maxLength: size })
  const property = fc.property(charts, chart => {
    const states = chart.map((to, at) => [
      `s${at}`,
      { on: Object.fromEntries(to.map((target, n) => [`E${n}`, `s${target}`])) },
    ])
    const machine = createMachine({
      id: 'random',
      initial: 's0',
      states: Object.fromEntries(states) as Record<string, { on: Record<string, string> }>,
    })
    const reached = Object.values(getAdjacencyMap(machine, {})).map(({ state }) => String(state.value))
    const unreached = chart.map((_, at) => `s${at}`).filter(name => !reached.includes(name))
    expect(lintMachine(machine).map(({ state }) => state)).toEqual(unreached)
  })
  fc.assert(property, { numRuns: 200, seed: 46 })
})
