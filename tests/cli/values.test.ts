// Command output for values without a JSON form, and for machines without states.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AnyActorLogic } from 'xstate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Run } from '../../src/cli/command.ts'
import { minimizeCommand } from '../../src/cli/minimize.ts'
import { replayCommand } from '../../src/cli/replay.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { record } from '../../src/services/recording/index.ts'
import { ran } from '../harness/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'chartroom-values-'))
const at = (name: string) => join(folder, name)
afterAll(() => rmSync(folder, { recursive: true }))

const COUNTER = `
  import { assign, createMachine } from ${JSON.stringify(import.meta.resolve('xstate'))}
  export const counter = createMachine({
    id: 'counter',
    context: { n: 0n },
    on: { add: { actions: assign({ n: ({ context, event }) => context.n + event.by }) } },
  })
  export const fails = ({ actor }) => actor.getSnapshot().context.n > 4n`
const counted = async (command: Run, name: string, ...flags: string[]) => {
  const { code, out, err } = await ran(command, at('counter.jsonl'), '--machines', at(name), ...flags)
  return { code, err, out: flags.includes('--json') ? (JSON.parse(out) as unknown) : out }
}

beforeAll(async () => {
  writeFileSync(at('counter.mjs'), COUNTER)
  writeFileSync(at('less.mjs'), COUNTER.replace('context.n +', 'context.n -'))
  const { counter } = (await import(at('counter.mjs'))) as { counter: AnyActorLogic }
  const recording = record(counter, { clock: createVirtualClock() })
  recording.start()
  recording.actor.send({ type: 'add', by: 5n })
  writeFileSync(at('counter.jsonl'), `${recording.lines().join('\n')}\n`)
})

test('printed as text and as JSON', async () => {
  const five = { $: 'bigint', value: '5' }
  expect(await counted(minimizeCommand, 'counter.mjs', '--fails', at('counter.mjs'))).toMatchObject({
    out: expect.stringContaining(
      '0 ms  external to counter: {"type":"add","by":{"$":"bigint","value":"5"}}\n',
    ),
  })
  expect(await counted(minimizeCommand, 'counter.mjs', '--fails', at('counter.mjs'), '--json')).toMatchObject(
    {
      out: { stimuli: [{ event: { type: 'add', by: five } }] },
    },
  )
  expect(await counted(replayCommand, 'less.mjs', '--what-if', '--json')).toMatchObject({
    code: 1,
    out: { final: [{ was: { context: { n: five } }, is: { context: { n: { value: '-5' } } } }] },
  })
})

test('a machine without states shows its status as the state', async () => {
  const { out } = await counted(replayCommand, 'less.mjs', '--what-if')
  expect(out).toContain('\n    recorded: counter took add → "active"\n')
  expect(out).toMatch(/\n {4}counter is active in both, with a different context\n$/)
})
