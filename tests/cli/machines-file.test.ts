// `--machines` with several machines of one name: the one that was recorded is found, or the command asks.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { AnyStateMachine } from 'xstate'
import { loadModule } from '../../src/cli/module-file.ts'
import { replayCommand } from '../../src/cli/replay.ts'
import { testCommand } from '../../src/cli/test.ts'
import { record } from '../../src/services/recording/index.ts'
import { ran } from '../harness/command.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

const folder = mkdtempSync(join(tmpdir(), 'chartroom-machines-'))
afterAll(() => rmSync(folder, { recursive: true }))

const DOOR = `createMachine({ initial: 'closed', states: { closed: { on: { OPEN: 'open' } }, open: { on: { CLOSE: 'closed' } } } })`
const LAMP = `createMachine({ initial: 'off', states: { off: { on: { SWITCH: 'on' } }, on: { on: { SWITCH: 'off' } } } })`
/** Opens only once. */
const OTHER_DOOR = `createMachine({ initial: 'closed', states: { closed: { on: { OPEN: 'open' } }, open: {} } })`

let files = 0
function module(text: string): string {
  const file = join(folder, `machines-${(files += 1)}.mjs`)
  writeFileSync(file, `import { createMachine } from 'xstate'\n${text}\n`)
  return file
}

async function recorded(file: string, name: string, events: readonly string[]): Promise<string> {
  const machine = (await loadModule('--machines', file))[name] as AnyStateMachine
  const recording = record(machine, { clock: createVirtualClock() })
  recording.start()
  for (const type of events) recording.actor.send({ type })
  recording.stop()
  const trace = join(folder, `${name}-${(files += 1)}.jsonl`)
  writeFileSync(trace, recording.lines().join('\n'))
  return trace
}

const NAMELESS = `export const doorMachine = ${DOOR}\nexport const lampMachine = ${LAMP}`

test.each(['doorMachine', 'lampMachine'])(
  'of two machines without an id, the recorded one is replayed and tested: %s',
  async name => {
    const file = module(NAMELESS)
    const trace = await recorded(file, name, name === 'doorMachine' ? ['OPEN', 'CLOSE'] : ['SWITCH'])
    expect(await ran(replayCommand, trace, '--machines', file)).toMatchObject({ code: 0 })
    const out = join(folder, `${name}.test.ts`)
    expect(await ran(testCommand, trace, '--machines', file, '--out', out)).toMatchObject({ code: 0 })
    expect(readFileSync(out, 'utf8')).toContain(`import { ${name} } from`)
    expect(readFileSync(out, 'utf8')).toContain(`createStage(${name}`)
  },
)

test('of machines that changed since, the one most like the recording is compared', async () => {
  const trace = await recorded(module(NAMELESS), 'doorMachine', ['OPEN', 'CLOSE'])
  const changed = module(`export const lampMachine = ${LAMP}\nexport const doorMachine = ${OTHER_DOOR}`)
  const { code, out } = await ran(replayCommand, trace, '--machines', changed)
  expect(code).toBe(1)
  expect(out).toContain('recorded: (machine) took CLOSE')
})

test('if the recording fits none of several, the command asks which one', async () => {
  const trace = await recorded(module(NAMELESS), 'doorMachine', ['OPEN'])
  const others = module(`export const a = ${LAMP}\nexport const b = ${LAMP}`)
  const { code, err } = await ran(testCommand, trace, '--machines', others)
  expect(code).toBe(2)
  expect(err).toContain("export const systems = { '(machine)': a }")
})

test('if several behave as recorded, the test names the others', async () => {
  const file = module(
    `export const front = ${DOOR}\nexport const back = ${DOOR}\nexport const lamp = ${LAMP}`,
  )
  const trace = await recorded(file, 'back', ['OPEN', 'CLOSE'])
  const { code, out, err } = await ran(testCommand, trace, '--machines', file)
  expect(code).toBe(0)
  expect(out).toContain('createStage(front)')
  expect(err).toBe(
    'The test uses "front". "back" has the same id and does the same; if the trace is about that, change the import.\n',
  )
  const alias = module(`export const door = ${DOOR}\nexport const same = door\nexport default door`)
  expect(await ran(testCommand, trace, '--machines', alias)).toMatchObject({ code: 0, err: '' })
})

test('a machine without an id is found among the children that it invokes', async () => {
  const file = module(
    `export const lampMachine = ${LAMP}\nexport const houseMachine = createMachine({ invoke: { src: lampMachine, id: 'lamp' }, initial: 'shut', states: { shut: { on: { OPEN: 'open' } }, open: {} } })`,
  )
  for (const [name, event] of [
    ['houseMachine', 'OPEN'],
    ['lampMachine', 'SWITCH'],
  ] as const) {
    const trace = await recorded(file, name, [event])
    expect(await ran(replayCommand, trace, '--machines', file)).toMatchObject({ code: 0 })
    expect((await ran(testCommand, trace, '--machines', file)).out).toContain(`createStage(${name})`)
  }
})

test('of several traces, only the one whose machine is unclear is unusable', async () => {
  const file = module(NAMELESS)
  const traces = [
    await recorded(file, 'doorMachine', ['OPEN']),
    await recorded(module(`export const named = createMachine({ id: 'named', on: { A: {} } })`), 'named', [
      'A',
    ]),
  ]
  const others = module(
    `export const a = ${LAMP}\nexport const b = ${LAMP}\nexport const c = createMachine({ id: 'named', on: { A: {} } })`,
  )
  const { code, out } = await ran(replayCommand, ...traces, '--machines', others)
  expect(code).toBe(2)
  expect(out).toContain("export const systems = { '(machine)': a }")
  expect(out).toMatch(/EXACT +\S*named/)
})

test('a registry names the machine, whatever else has its id', async () => {
  const file = module(`${NAMELESS}\nexport const systems = { '(machine)': lampMachine }`)
  const trace = await recorded(file, 'doorMachine', ['OPEN'])
  expect(await ran(replayCommand, trace, '--machines', file)).toMatchObject({ code: 1 })
})

test('a machine that is also the default export is imported by its name, one that is only that as a variable', async () => {
  const both = module(`export const doorMachine = ${DOOR}\nexport default doorMachine`)
  const trace = await recorded(both, 'doorMachine', ['OPEN'])
  expect((await ran(testCommand, trace, '--machines', both)).out).toContain('import { doorMachine } from')
  const only = module(`export default ${DOOR}`)
  expect((await ran(testCommand, trace, '--machines', only)).out).toContain(
    'import { default as machine } from',
  )
})
