// `chartroom replay` with user-defined machines: the result of a drive can be saved, and client invariants
// only apply to the client.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMachine, fromCallback } from 'xstate'
import { afterAll, expect, test } from 'vitest'
import { replayCommand } from '../../src/cli/replay.ts'
import { record } from '../../src/public/devtools/recording.ts'
import { readTrace } from '../../src/public/devtools/replay.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { ran } from '../harness/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'chartroom-drive-'))
const at = (name: string) => join(folder, name)
afterAll(() => rmSync(folder, { recursive: true }))

const chart = (target: string) => ({
  id: 'post',
  initial: 'empty',
  states: { empty: { on: { write: target } }, sending: { invoke: { id: 'send', src: 'send' } }, lost: {} },
})

const moduleOf = (target: string) =>
  `import { createMachine, fromCallback } from '${import.meta.resolve('xstate')}'
export const post = createMachine(${JSON.stringify(chart(target))}).provide({ actors: { send: fromCallback(() => {}) } })\n`

function written(): string {
  const machine = createMachine(chart('sending')).provide({ actors: { send: fromCallback(() => undefined) } })
  const recording = record(machine, { clock: createVirtualClock() })
  recording.actor.start()
  recording.actor.send({ type: 'write' })
  writeFileSync(at('post.jsonl'), `${recording.lines().join('\n')}\n`)
  writeFileSync(at('post.mjs'), moduleOf('sending'))
  writeFileSync(at('lost.mjs'), moduleOf('lost'))
  return at('post.jsonl')
}

test("client invariants do not apply to an effect that shares a name with one of the client's", async () => {
  const { code, out } = await ran(replayCommand, written(), '--machines', at('post.mjs'))
  expect({ code, out }).toEqual({
    code: 0,
    out: `EXACT    ${at('post.jsonl')}\n  1 inputs, 3 recorded steps; 3 steps identical\n`,
  })
})

test('--out saves the run of changed machines as a trace that replays exactly with them', async () => {
  const given = [written(), '--what-if', '--machines', at('lost.mjs'), '--out', at('lost.trace.gz')]
  expect(await ran(replayCommand, ...given)).toMatchObject({ code: 1, err: '' })
  const read = await readTrace(readFileSync(at('lost.trace.gz')))
  if (read.kind !== 'trace') throw new Error(read.message)
  expect(read.trace.steps.map(({ event, value }) => [event.type, value])).toEqual([
    ['xstate.init', 'empty'],
    ['write', 'lost'],
  ])
  const again = await ran(replayCommand, at('lost.trace.gz'), '--machines', at('lost.mjs'))
  expect(again).toMatchObject({ code: 0 })
  expect(await ran(replayCommand, ...given)).toEqual({
    code: 2,
    out: '',
    err: `${at('lost.trace.gz')} exists. Add --force to replace it.\n`,
  })
})

test.each([
  [[], '--out requires --what-if.'],
  [['--what-if', at('post.jsonl')], '--out takes a single trace, but 2 files were given.'],
])('--out with %j is refused', async (flags, message) => {
  const { code, err } = await ran(replayCommand, written(), ...flags, '--out', at('none.trace.gz'))
  expect([code, err.split('\n')[0], existsSync(at('none.trace.gz'))]).toEqual([2, message, false])
})
