// Source lines on the command line: in divergences, annotations, coverage, checks, findings and summaries.
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AnyStateMachine } from 'xstate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../scripts/tool.ts'
import { checkCommand } from '../../src/cli/check.ts'
import { coverageCommand } from '../../src/cli/coverage.ts'
import { diffCommand } from '../../src/cli/diff.ts'
import { infoCommand } from '../../src/cli/info.ts'
import { lintCommand } from '../../src/cli/lint.ts'
import { loadModule } from '../../src/cli/module-file.ts'
import { replayCommand } from '../../src/cli/replay.ts'
import { record } from '../../src/services/recording/index.ts'
import { offerSourceReader, systemSources } from '../../src/services/runtime/index.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { runCli } from '../harness/cli-process.ts'
import { ran } from '../harness/command.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'chartroom-lines-')))
const at = (name: string) => join(folder, name)
afterAll(() => rmSync(folder, { recursive: true }))

const DOOR = `import { setup } from 'xstate'

export const door = setup({
  guards: { isFree: ({ context }: { context: { locked: boolean } }) => !context.locked },
}).createMachine({
  id: 'door',
  context: { locked: false },
  initial: 'closed',
  states: {
    closed: {
      on: {
        open: { guard: 'isFree', target: 'opened' }, // here
        paint: {},
      },
    },
    opened: { on: { close: 'closed' } },
    never: {},
  },
})
`

/** The line of a text in the module, from 1. */
const lineOf = (text: string, code = DOOR) => code.split('\n').findIndex(line => line.includes(text)) + 1

async function recorded(file: string, events: readonly string[]): Promise<string> {
  const { door } = await loadModule('--machines', at(file))
  const recording = record(door as AnyStateMachine, { clock: createVirtualClock() })
  recording.start()
  for (const type of events) recording.actor.send({ type })
  recording.stop()
  return `${recording.lines().join('\n')}\n`
}

const withoutSources = (text: string) => text.replace(/,"sources":\{.*?\},"redaction"/, ',"redaction"')

beforeAll(async () => {
  offerSourceReader(systemSources)
  mkdirSync(at('node_modules'))
  for (const name of ['xstate', 'vite'])
    symlinkSync(join(root, 'node_modules', name), at(`node_modules/${name}`))
  writeFileSync(at('package.json'), '{ "type": "module" }')
  writeFileSync(at('door.ts'), DOOR)
  // Another target, below a new line.
  writeFileSync(at('other.ts'), `\n${DOOR.replace("target: 'opened'", "target: 'never'")}`)
  writeFileSync(at('door.jsonl'), await recorded('door.ts', ['open', 'close']))
  writeFileSync(at('plain.jsonl'), withoutSources(await recorded('door.ts', ['open', 'close'])))
  writeFileSync(at('other.jsonl'), await recorded('other.ts', ['open', 'close']))
})

describe('a divergence', () => {
  test('is at the line of the changed transition in the code on disk', async () => {
    const { code, out, err } = await ran(
      replayCommand,
      at('door.jsonl'),
      '--machines',
      at('other.ts'),
      '--annotations',
      'github',
    )
    expect(code).toBe(1)
    const line = lineOf('// here') + 1
    expect(out).toContain(`at other.ts:${line}:9\n`)
    expect(err).toContain(`::error file=other.ts,line=${line},col=9,title=chartroom replay`)
  })

  test('is at the recorded line if the code on disk has none', async () => {
    writeFileSync(
      at('copy.mjs'),
      "import { createMachine } from 'xstate'\nconst { make } = { make: createMachine }\nexport const door = make({ id: 'door' })",
    )
    const { code, out } = await ran(replayCommand, at('door.jsonl'), '--machines', at('copy.mjs'))
    expect(code).toBe(1)
    expect(out).toContain('at door.ts:')
  })

  test('of what-if, and in JSON', async () => {
    const { out } = await ran(replayCommand, at('door.jsonl'), '--what-if', '--machines', at('other.ts'))
    expect(out).toContain(`at other.ts:${lineOf('// here') + 1}:9`)
    const json = await ran(replayCommand, at('door.jsonl'), '--json', '--machines', at('other.ts'))
    expect(JSON.parse(json.out)).toMatchObject({
      divergence: { at: { file: 'other.ts', line: lineOf('// here') + 1, column: 9 } },
    })
  })

  test('of two traces is at the line of the second', async () => {
    const { out } = await ran(diffCommand, at('door.jsonl'), at('other.jsonl'))
    expect(out).toContain(`at other.ts:${lineOf('// here') + 1}:9`)
  })
})

describe('coverage', () => {
  test('lists the lines of what is missing', async () => {
    const { out } = await ran(coverageCommand, at('plain.jsonl'), '--missing', '--machines', at('door.ts'))
    expect(out).toContain(`state never  door.ts:${lineOf('never: {}')}:5\n`)
    expect(out).toContain(`transition closed#1 paint  door.ts:${lineOf('paint: {}')}:9\n`)
    expect(out).toContain(`guard isFree at closed#0 was never refused  door.ts:${lineOf('isFree: (')}:13`)
  })

  test.each([
    ['replayed', ['plain.jsonl', '--machines', 'door.ts']],
    ['recorded', ['door.jsonl']],
  ])('writes LCOV by line, as %s', async (_, args) => {
    const out = at('lcov.info')
    const files = args.map(one => (one.startsWith('--') ? one : at(one)))
    const { code } = await ran(coverageCommand, ...files, '--lcov', out)
    expect(code).toBe(0)
    const lines = readFileSync(out, 'utf8').trimEnd().split('\n')
    const has = (...all: readonly string[]) => expect(lines).toEqual(expect.arrayContaining([...all]))
    has('SF:door.ts', `FN:${lineOf('closed: {')},door.closed`, 'FNDA:0,door.never')
    has(`DA:${lineOf('never: {}')},0`, `DA:${lineOf('paint: {}')},0`, `DA:${lineOf('// here')},1`)
    has('FNF:4', 'FNH:3', 'BRF:5', 'BRH:3', 'end_of_record')
    expect(lines.filter(line => line.startsWith(`BRDA:${lineOf('// here')},`))).toEqual([
      `BRDA:${lineOf('// here')},0,0,1`,
      `BRDA:${lineOf('// here')},0,1,1`,
      `BRDA:${lineOf('// here')},0,2,0`,
    ])
  })

  test('without positions, LCOV is refused with what to do', async () => {
    const { code, err } = await ran(coverageCommand, at('plain.jsonl'), '--lcov', at('none.info'))
    expect(code).toBe(2)
    expect(err).toContain('Name the module that exports them with --machines')
  })
})

test('a failed assertion is at the line of the step', async () => {
  writeFileSync(
    at('assert.json'),
    JSON.stringify([{ name: 'staysClosed', check: { never: { state: 'opened' } } }]),
  )
  const args = ['--assertions', at('assert.json'), '--machines', at('door.ts')]
  const { out } = await ran(checkCommand, at('plain.jsonl'), ...args)
  expect(out).toContain(`at door.ts:${lineOf('// here')}:9`)
})

test('a finding of lint is at the line of the state', async () => {
  const { out } = await ran(lintCommand, at('door.ts'))
  expect(out).toContain(`door.ts:${lineOf('never: {}')}:5: door.never: `)
})

test('a summary names the lines of the machines', async () => {
  const { out } = await ran(infoCommand, at('door.jsonl'))
  expect(out).toContain('Machines   door (door.ts:5:4)')
})

test('Node loads modules with their lines, where no Vite is installed', async () => {
  const other = realpathSync(mkdtempSync(join(tmpdir(), 'chartroom-node-')))
  try {
    mkdirSync(join(other, 'node_modules'))
    symlinkSync(join(root, 'node_modules/xstate'), join(other, 'node_modules/xstate'))
    writeFileSync(join(other, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(other, 'door.ts'), DOOR)
    writeFileSync(join(other, 'index.ts'), "export { door } from './door.ts'")
    const { out } = await runCli(['lint', join(other, 'index.ts')])
    expect(out).toContain(`door.ts:${lineOf('never: {}')}:5: door.never: `)
  } finally {
    rmSync(other, { recursive: true })
  }
}, 30_000)
