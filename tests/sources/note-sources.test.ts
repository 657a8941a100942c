// The transform of modules: forms of calls, whose positions are found by markers in the text, and what does not change.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SourceMap as NodeSourceMap, stripTypeScriptTypes } from 'node:module'
import fc from 'fast-check'
import { type AnyStateMachine, createActor } from 'xstate'
import { afterAll, describe, expect, test } from 'vitest'
import { root } from '../../scripts/tool.ts'
import {
  machineChart,
  machineSource,
  machinesOfModule,
  type NotedMachine,
  onNotedMachine,
  systemSources,
} from '../../src/services/runtime/index.ts'
import { noteSources } from '../../src/sources/note-sources.ts'
import { type MachinePart, positionIn } from '../../src/trace/index.ts'
import { assertProperty } from '../harness/volume.ts'

// Below the repository, so that Node finds its packages.
const folder = mkdtempSync(join(root, 'node_modules/.chartroom-sources-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Exports = Readonly<Record<string, unknown>>
let modules = 0

/** Evaluates a module as Node does, without its types. */
async function evaluate(code: string): Promise<Exports> {
  const file = join(folder, `module-${modules++}.mjs`)
  writeFileSync(file, stripTypeScriptTypes(code))
  return (await import(file)) as Exports
}

async function noted(code: string, file = `src/noted-${modules}.ts`) {
  const module = noteSources(code, file)
  if (!module) throw new Error('The module has no positions')
  return { file, module, exports: await evaluate(module.code) }
}

/** Line and column of a marker comment `/*name*\/`, whose end is the position. */
function markers(code: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const [n, text] of code.split('\n').entries())
    for (const { 0: all, 1: name = '', index } of text.matchAll(/\/\*(\w+)\*\//g))
      found.set(name, `${n + 1}:${index + all.length + 1}`)
  return found
}

/** Finds parts of a machine, and compares their positions with markers. */
function positionsOf(machine: unknown, parts: Readonly<Record<string, MachinePart>>): Map<string, string> {
  const source = machineSource(machine as AnyStateMachine)
  const trace = { sources: source ? { it: source } : {} }
  return new Map(
    Object.entries(parts).map(([name, part]) => {
      const position = positionIn(trace, 'it', part)
      return [name, position ? `${position.line}:${position.column}` : 'none']
    }),
  )
}

const state = (name: string): MachinePart => ({ kind: 'state', name })
const transition = (name: string): MachinePart => ({ kind: 'transition', name })
const guard = (name: string, at?: string): MachinePart => ({
  kind: 'guard',
  name,
  ...(at !== undefined && { at: { transition: at } }),
})
const action = (name: string): MachinePart => ({ kind: 'action', name })

describe('positions', () => {
  test('of a machine with setup, in all forms of parts', async () => {
    const code = `import { setup as make, fromPromise, assign, type AnyEventObject } from 'xstate'
      type Context = { n: number }
      const /*reset*/reset = assign({ n: 0 })
      const /*isBig*/isBig = ({ context }: { context: Context }) => context.n > 3
      export const machine = make({
        types: {} as { context: Context },
        guards: { isBig, /*isSmall*/isSmall: ({ context }) => context.n < 3 },
        actions: { reset, /*log*/log() {} },
        actors: { load: /*load*/fromPromise(async () => 3) },
        delays: { /*soon*/soon: 500 },
      })./*machine*/createMachine({
        id: 'it',
        context: { n: 0 },
        initial: 'off',
        /*entryOfRoot*/entry: () => {},
        states: {
          /*off*/off: { on: { /*off0*/go: 'on', /*off1*/'other.event': { /*guard*/guard: () => true, target: 'on' } } },
          /*on*/on: {
            /*invoke*/invoke: { src: 'load', id: 'l', /*done*/onDone: 'off', onError: [/*error0*/{ guard: 'isBig', target: 'off' }, /*error1*/{ actions: 'log' }] },
            /*always*/always: { guard: 'isSmall', target: 'inner' },
            after: { /*after*/soon: 'off', /*after9*/9: { actions: ['log', /*second*/() => {}] } },
          },
          /*inner*/inner: { type: 'parallel', states: { /*a*/a: {}, /*b*/'b b': { /*doneState*/onDone: '#it.off', initial: 'x', states: { /*x*/x: { type: 'final' } } } } },
        },
      } satisfies object)
      export type E = AnyEventObject
      `
    const { exports } = await noted(code)
    const expected = markers(code)
    expected.delete('invoke')
    const found = positionsOf(exports['machine'], {
      reset: action('reset'),
      isBig: guard('isBig'),
      isSmall: guard('isSmall'),
      log: action('log'),
      load: { kind: 'actor', name: 'load' },
      soon: { kind: 'delay', name: 'soon' },
      machine: { kind: 'machine' },
      entryOfRoot: { kind: 'action', name: 'entry', at: { state: '', list: 'entry', n: 0 } },
      off: state('off'),
      off0: transition('off#0'),
      off1: transition('off#1'),
      guard: guard('(anonymous)', 'off#1'),
      on: state('on'),
      always: transition('on#0'),
      done: transition('on#1'),
      error0: transition('on#2'),
      error1: transition('on#3'),
      after9: transition('on#4'),
      after: transition('on#5'),
      second: { kind: 'action', name: '(anonymous)', at: { transition: 'on#4', n: 1 } },
      inner: state('inner'),
      a: state('inner.a'),
      b: state('inner.b b'),
      x: state('inner.b b.x'),
      doneState: transition('inner.b b#0'),
    })
    expect(found).toEqual(new Map([...found.keys()].map(name => [name, expected.get(name)])))
    expect(new Set(found.keys())).toEqual(new Set(expected.keys()))
  })

  test('of renamed, whole and required imports, constants, spreads and functions of the module', async () => {
    const code = `import * as X from 'xstate'
      import { createMachine as made } from 'xstate'
      const shared = { on: { /*stop*/stop: '.idle' } } as const
      const NAME = 'named'
      const idle = (to: string) => ({ on: { /*go*/go: to } })
      function last() { return { /*lastEntry*/entry: () => {} } }
      const config = { ...shared, id: 'one', initial: 'idle', states: { /*idle*/idle: idle('named'), /*named*/[NAME]: {}, /*last*/last: last() } }
      export const one = X./*one*/createMachine(config)
      export const two = /*two*/made(Object.freeze({ ...(true && { on: { /*x*/x: '.a' } }), initial: 'a', states: { /*a*/a: {} } }))
      export default made(config)
      `
    const { exports } = await noted(code)
    const expected = markers(code)
    const one = positionsOf(exports['one'], {
      one: { kind: 'machine' },
      stop: transition('#0'),
      idle: state('idle'),
      go: transition('idle#0'),
      named: state('named'),
      last: state('last'),
      lastEntry: { kind: 'action', name: '', at: { state: 'last', list: 'entry', n: 0 } },
    })
    const two = positionsOf(exports['two'], { two: { kind: 'machine' }, x: transition('#0'), a: state('a') })
    expect(new Map([...one, ...two])).toEqual(expected)
  })

  test('of parts from other modules: state configurations, logic, machines and implementations', async () => {
    const parts = await noted(`import { fromCallback, setup, createMachine } from 'xstate'
      export const base = setup({ actions: { /*greet*/greet() {} } })
      export const /*idle*/idle = base.createStateConfig({ on: { /*go*/go: 'idle' } })
      export const /*listen*/listen = fromCallback(() => {})
      export const child = /*child*/createMachine({ id: 'child' })
      `)
    const code = `const { base, idle, listen, child } = globalThis.partsOfTest
      export const whole = base.extend({ guards: { /*isOk*/isOk: () => true } })./*whole*/createMachine({
        id: 'whole', initial: 'idle', states: { idle, busy: { invoke: { src: listen } } },
      }).provide({ actions: { /*other*/other() {} }, actors: { child } })
      `
    Object.assign(globalThis, { partsOfTest: parts.exports })
    const { exports, file } = await noted(code)
    const sources = systemSources(exports['whole'] as AnyStateMachine) ?? {}
    const at = (part: MachinePart, machine = 'whole') => {
      const found = positionIn({ sources }, machine, part)
      return found && `${found.file}:${found.line}:${found.column}`
    }
    const inThis = (name: string) => `${file}:${markers(code).get(name)}`
    const inParts = (name: string) =>
      `${parts.file}:${markers(parts.module.map.sourcesContent?.[0] ?? '').get(name)}`
    expect(at({ kind: 'machine' })).toBe(inThis('whole'))
    expect(at(guard('isOk'))).toBe(inThis('isOk'))
    expect(at(action('other'))).toBe(inThis('other'))
    expect(at(action('greet'))).toBe(inParts('greet'))
    expect(at(state('idle'))).toBe(inParts('idle'))
    expect(at(transition('idle#0'))).toBe(inParts('go'))
    expect(at({ kind: 'actor', name: '', at: { state: 'busy', list: 'invoke', n: 0 } })).toBe(
      inParts('listen'),
    )
    expect(at({ kind: 'machine' }, 'child')).toBe(inParts('child'))
  })

  test('count characters as editors do, after an emoji, a byte order mark, and with line ends of Windows', async () => {
    const code = `\uFEFFimport { createMachine } from 'xstate'\r\n// 😀\r\nexport const m = /* 😀 */ createMachine({ initial: 'a',\r\n  states: { a: {} },\r\n})\r\n`
    const { exports } = await noted(code)
    const text = code.split('\r\n')
    expect(positionsOf(exports['m'], { m: { kind: 'machine' }, a: state('a') })).toEqual(
      new Map([
        ['m', `3:${(text[2] ?? '').indexOf('createMachine') + 1}`],
        ['a', `4:${(text[3] ?? '').indexOf('a: {}') + 1}`],
      ]),
    )
  })

  test('of generated machines are those of their markers', async () => {
    interface Node {
      readonly name: string
      readonly events: number
      readonly isList: boolean
      readonly states: readonly Node[]
    }
    const node = (levels: number): fc.Arbitrary<Node> =>
      fc.record({
        name: fc.constantFrom('a', 'b', 'some state', 'constructor', 'é'),
        events: fc.nat(2),
        isList: fc.boolean(),
        states:
          levels === 0
            ? fc.constant([])
            : fc.uniqueArray(node(levels - 1), { maxLength: 2, selector: one => one.name }),
      })
    await assertProperty(
      fc.asyncProperty(node(3), fc.constantFrom('', '\n', ' '), async (top, space) => {
        const names: string[] = []
        const mark = (name: string) => `/*m${names.push(name) - 1}*/`
        const write = ({ events, isList, states }: Node, path: string): string => {
          const keys = Array.from({ length: events }, (_, n) => `e${n}`)
          const on = keys.map((key, n) => {
            const place = mark(`${path}#${n}`)
            return isList ? `${key}: [${place}{}]` : `${place}${key}: {}`
          })
          const inner = states.map(one => {
            const below = path === '' ? one.name : `${path}.${one.name}`
            return `${mark(below)}${JSON.stringify(one.name)}: ${write(one, below)}`
          })
          return `{${space} on: {${on.join(`,${space}`)}}, type: ${states.length > 0 ? "'parallel'" : 'undefined'}, states: {${space}${inner.join(`,${space}`)} } }`
        }
        const code = `import { createMachine } from 'xstate'\nexport const m = createMachine(${write(top, '')})`
        const { exports } = await noted(code)
        const part = (name: string) => (name.includes('#') ? transition(name) : state(name))
        const found = positionsOf(exports['m'], Object.fromEntries(names.map(name => [name, part(name)])))
        expect(found).toEqual(new Map(names.map((name, n) => [name, markers(code).get(`m${n}`)])))
      }),
      { numRuns: 25, seed: 5 },
    )
  })
})

describe('a module', () => {
  const code = `'use client'
import { createMachine } from 'xstate'
const config = { id: 'twice', initial: 'a', states: { a: { on: { x: 'b' } }, b: {} } }
export const first = Object.freeze(createMachine(config))
export const second = createMachine(config)
export const text = ((a: number) => \`\${a}\`)(1) // no line end follows`

  test('has the same values, charts and behavior as without positions', async () => {
    const [{ exports }, plain] = [await noted(code), await evaluate(code)]
    const chart = (module: Exports, name: string) => machineChart(module[name] as AnyStateMachine)
    for (const name of ['first', 'second']) {
      expect(chart(exports, name)).toEqual(chart(plain, name))
      expect(Reflect.ownKeys(exports[name] as object)).toEqual(Reflect.ownKeys(plain[name] as object))
    }
    const actor = createActor(exports['first'] as AnyStateMachine).start()
    actor.send({ type: 'x' })
    expect(actor.getSnapshot().value).toBe('b')
    expect(Object.isFrozen(exports['first'])).toBe(true)
    expect(exports['text']).toBe('1')
  })

  test('with two machines of one configuration has a position for each', async () => {
    const { exports } = await noted(code)
    const line = (name: string) => positionsOf(exports[name], { m: { kind: 'machine' } }).get('m')
    expect([line('first'), line('second')]).toEqual(['4:36', '5:23'])
  })

  test('keeps all its lines, and its directive; the source map points to them', () => {
    const noted_ = noteSources(code, 'src/a.ts')
    const [before, after] = [code.split('\n'), (noted_?.code ?? '').split('\n')]
    expect(after.slice(0, 3)).toEqual(before.slice(0, 3))
    for (const [n, line] of before.entries())
      expect(after[n]?.replaceAll(/__chartroomNote\(|, \d\)/g, '')).toBe(line)
    const map = new NodeSourceMap(JSON.parse(JSON.stringify(noted_?.map)) as never)
    const column = (after[4] ?? '').indexOf('config')
    expect(map.findEntry(4, column)).toMatchObject({
      originalLine: 4,
      originalColumn: (before[4] ?? '').indexOf('config'),
    })
  })

  test.each([
    [
      'without XState',
      'export const createMachine = x => x; export const m = createMachine({ states: {} }) // xstate',
    ],
    [
      'with a local function of the name',
      `import { setup } from 'xstate'; const createMachine = x => x; createMachine({}); void setup`,
    ],
    [
      'with types only',
      `import type { createMachine } from 'xstate'; declare const m: ReturnType<typeof createMachine>`,
    ],
    ['that does not parse', `import { createMachine } from 'xstate'; createMachine({`],
    [
      'with other methods of these names',
      `app.provide('xstate', 3); $.extend({}, { actions: 1 }); zod.extend({ a: 1 })`,
    ],
  ])('%s is not changed', (_, text) => {
    expect(noteSources(text, 'src/a.ts')).toBeUndefined()
  })

  test('is changed once', () => {
    const once = noteSources(code, 'src/a.ts')
    expect(noteSources(once?.code ?? '', 'src/a.ts')).toBeUndefined()
  })

  test('with JSX and types is changed; it may call before its end, and its own functions', () => {
    const tsx = `import { createMachine } from 'xstate'
      export const App = <T,>({ of }: { of: T }) => <p title={\`\${of}\`}>{createMachine({ id: 'x' }).id}</p>`
    expect(noteSources(tsx, 'src/app.tsx')?.machines).toEqual(['#1'])
    expect(noteSources(tsx.replaceAll(/<T,>|: \{ of: T \}/g, ''), 'src/app.js')?.machines).toEqual(['#1'])
  })
})

describe('machines of a module', () => {
  const code = (event: string) => `import { createMachine } from 'xstate'
    export const lamp = createMachine({ id: 'lamp', on: { ${event}: {} } })
    export const list = [createMachine({ id: 'in list' })]
    export const make = () => createMachine({ id: 'made' })`

  test('are known by variable or number, and a new evaluation differs from a repeated call', async () => {
    const heard: NotedMachine[] = []
    const stop = onNotedMachine(one => heard.push(one))
    const first = await noted(code('on'), 'src/lamps.ts')
    const make = first.exports['make'] as () => AnyStateMachine
    const [one, two] = [make(), make()]
    const second = await noted(code('off'), 'src/lamps.ts')
    stop()
    await noted(code('none'), 'src/lamps.ts')
    expect(first.module.machines).toEqual(['lamp', '#2', '#3'])
    expect(heard.map(({ key, isNewModule }) => [key, isNewModule])).toEqual([
      ['lamp', true],
      ['#2', true],
      ['#3', true],
      ['#3', false],
      ['lamp', true],
      ['#2', true],
    ])
    expect(heard[3]).toMatchObject({ machine: two, previous: one })
    expect(heard[4]?.previous).toBe(first.exports['lamp'])
    expect(heard[4]?.machine).toBe(second.exports['lamp'])
    expect([...machinesOfModule('src/lamps.ts').keys()]).toEqual(['lamp', '#2', '#3'])
  })
})
