// `chartroom` as a process: it exits with the correct code when its command ends, whatever a module does.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMachine } from 'xstate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommand, TRACE_COMMANDS } from '../../src/cli/program.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { record } from '../../src/services/recording/index.ts'
import { ran } from '../harness/command.ts'

const BIN = join(import.meta.dirname, '../../src/cli/bin.ts')
const folder = mkdtempSync(join(tmpdir(), 'chartroom-program-'))
const at = (name: string) => join(folder, name)
afterAll(() => rmSync(folder, { recursive: true }))

const LAMP = { id: 'lamp', initial: 'dark', states: { dark: { on: { light: 'lit' } }, lit: {} } }
const MODULE = `import { createMachine } from ${JSON.stringify(import.meta.resolve('xstate'))}
export const lamp = createMachine(${JSON.stringify(LAMP)})
`

beforeAll(() => {
  const recording = record(createMachine(LAMP), { clock: createVirtualClock() })
  recording.start()
  recording.actor.send({ type: 'light' })
  writeFileSync(at('lamp.jsonl'), `${recording.lines().join('\n')}\n`)
})

function chartroom(...args: string[]): Promise<{ code: unknown; out: string; err: string }> {
  return new Promise(resolve => {
    execFile(process.execPath, [BIN, ...args], { timeout: 20_000 }, (error, out, err) =>
      resolve({ code: error === null ? 0 : (error.code ?? error.signal), out, err }),
    )
  })
}

test.each([
  ['timers.mjs', `${MODULE}setInterval(() => undefined, 1000)`, 0, /^$/],
  [
    'never.mjs',
    `${MODULE}await new Promise(() => undefined)`,
    2,
    /^The process went idle before the command finished/,
  ],
  ['later.mjs', `${MODULE}Promise.reject(new Error('adrift'))`, 2, /^Uncaught error: Error: adrift\n/],
])('a module with unfinished work: %s', async (name, text, code, err) => {
  writeFileSync(at(name), text)
  const ended = await chartroom('replay', at('lamp.jsonl'), '--machines', at(name))
  expect(ended).toMatchObject({ code, err: expect.stringMatching(err) })
})

test('the reader may close the pipe early', async () => {
  const script = `"$0" "$1" --help | true; "$0" "$1" export "$2" --to perfetto | head -c 10`
  const { out, err } = await new Promise<{ out: string; err: string }>(resolve => {
    execFile('sh', ['-c', script, process.execPath, BIN, at('lamp.jsonl')], (_, out, err) =>
      resolve({ out, err }),
    )
  })
  expect([out, err]).toEqual(['{"displayT', ''])
})

test('prints the version, and help in either form', async () => {
  const run = (...args: string[]) => ran(given => runCommand(TRACE_COMMANDS, given), ...args)
  expect(await run('--version')).toEqual({
    code: 0,
    out: expect.stringMatching(/^chartroom \d+\.\d+\.\d+\n$/),
    err: '',
  })
  expect(await run('help', 'info')).toEqual(await run('info', '--help'))
})
