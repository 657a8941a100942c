// `chartroom test`, for Chartroom's own systems and for user-defined machines.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMachine } from 'xstate'
import { afterAll, expect, test } from 'vitest'
import { testCommand } from '../../src/cli/test.ts'
import { record } from '../../src/public/devtools/recording.ts'
import { recordedStage } from '../../src/public/devtools/vitest.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { ran } from '../harness/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'chartroom-test-'))
const at = (name: string) => join(folder, name)
afterAll(() => rmSync(folder, { recursive: true }))

const chart = (target: string) => ({
  id: 'lamp',
  initial: 'dark',
  states: { dark: { on: { light: target } }, lit: {}, out: {} },
})
const logic = (target: string) =>
  `import { createMachine } from '${import.meta.resolve('xstate')}'\nexport const lamp = createMachine(${JSON.stringify(chart(target))})\n`

function written(): string {
  const recording = record(createMachine(chart('lit')), { clock: createVirtualClock() })
  recording.start()
  recording.actor.send({ type: 'light' })
  writeFileSync(at('lamp.jsonl'), `${recording.lines().join('\n')}\n`)
  writeFileSync(at('lamp.mjs'), logic('lit'))
  writeFileSync(at('changed.mjs'), logic('out'))
  return at('lamp.jsonl')
}

test("imports the machine relative to the test's path", async () => {
  const { code, out } = await ran(
    testCommand,
    written(),
    '--machines',
    at('lamp.mjs'),
    '--out',
    at('lamp.test.ts'),
    '--title',
    "the skipper's lamp",
  )
  expect({ code, out }).toEqual({ code: 0, out: `${at('lamp.test.ts')}\n` })
  const text = readFileSync(at('lamp.test.ts'), 'utf8')
  expect(text).toContain("import { lamp } from './lamp.mjs'\n")
  expect(text).toContain(
    "test('the skipper\\'s lamp', () => {\n  const stage = createStage(lamp)\n  stage.start()\n  expect(stage.state()).toEqual('dark')\n\n  stage.send({ type: 'light' })\n  expect(stage.state()).toEqual('lit')\n})\n",
  )
})

test('for a different machine than recorded, writes the test and warns that it fails', async () => {
  const { code, out, err } = await ran(testCommand, written(), '--machines', at('changed.mjs'))
  expect({ code, err }).toEqual({
    code: 1,
    err: 'The test will fail: the machines differ from the recorded ones. Run `chartroom replay` for details.\n',
  })
  expect(out).toContain("toEqual('lit')")
})

test("without machines, the system must be one of Chartroom's", async () => {
  expect(await ran(testCommand, written(), '--out', at('none.test.ts'))).toEqual({
    code: 2,
    out: '',
    err: 'The machines of "lamp" are unknown; name the module with its machines: --machines FILE.\n',
  })
  expect(existsSync(at('none.test.ts'))).toBe(false)
})

test('replaces nothing without --force and rejects a file that is not a trace', async () => {
  const trace = written()
  writeFileSync(at('mine.ts'), 'mine')
  const args = ['--machines', at('lamp.mjs'), '--out', at('mine.ts')]
  expect(await ran(testCommand, trace, ...args)).toMatchObject({
    code: 2,
    err: expect.stringContaining('mine.ts exists. Add --force to replace it.'),
  })
  expect(await ran(testCommand, at('mine.ts'))).toMatchObject({
    code: 2,
    err: expect.stringContaining('not a trace'),
  })
})

test("works for one of Chartroom's own systems", async () => {
  const { code, out } = await ran(
    testCommand,
    'tests/traces/session-af32746f9a2a69bd.jsonl.gz',
    '--only',
    'machine',
  )
  expect(code).toBe(0)
  expect(out).toContain("import { systems } from '@chartroom/devtools/replay'\n")
  expect(out).toContain("createStage(systems['chartroom/session']")
})

test('a long test plays a copy of the recording next to it', async () => {
  const trace = 'tests/traces/session-af32746f9a2a69bd.jsonl.gz'
  const { code, out } = await ran(testCommand, trace, '--out', at('session.test.ts'))
  expect({ code, out }).toEqual({ code: 0, out: `${at('session.test.ts')}\n` })
  const text = readFileSync(at('session.test.ts'), 'utf8')
  expect(text.split('\n').length).toBeLessThanOrEqual(80)
  expect(text).toContain("recordedStage(new URL('./session.trace.gz', import.meta.url), systems['chartroom/")
  const played = await recordedStage(at('session.trace.gz'))
  played.finish()
  expect(played.now).toBeGreaterThan(0)
  expect(await ran(testCommand, trace, '--out', at('session.spec.js'))).toMatchObject({
    code: 2,
    err: expect.stringContaining('session.trace.gz exists. Add --force to replace it.'),
  })
})
