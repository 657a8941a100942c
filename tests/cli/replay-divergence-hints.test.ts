// `chartroom replay` of a recording whose divergence no machine explains: prints possible causes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { assign, createMachine } from 'xstate'
import { replayCommand } from '../../src/cli/replay.ts'
import { record } from '../../src/public/devtools/recording.ts'
import { ran } from '../harness/command.ts'

const folder = mkdtempSync(join(tmpdir(), 'chartroom-suspects-'))
afterAll(() => rmSync(folder, { recursive: true }))

const dice = createMachine({ id: 'dice', on: { roll: { actions: assign({ eyes: () => Math.random() }) } } })
const MODULE = `
import { assign, createMachine } from '${import.meta.resolve('xstate')}'
export const dice = createMachine({ id: 'dice', on: { roll: { actions: assign({ eyes: () => Math.random() }) } } })
`

test('names a platform read and a different XState version', async () => {
  const recording = record(dice, { platform: false })
  recording.start()
  recording.actor.send({ type: 'roll' })
  const lines = recording
    .lines()
    .map(line => line.replace(/"xstateVersion":"[^"]*"/, '"xstateVersion":"5.1.0"'))
  const [trace, machines] = [join(folder, 'dice.jsonl'), join(folder, 'dice.mjs')]
  writeFileSync(trace, `${lines.join('\n')}\n`)
  writeFileSync(machines, MODULE)
  const { code, out } = await ran(replayCommand, trace, '--machines', machines)
  expect(code).toBe(1)
  expect(out).toMatch(/^ {2}recorded with XState 5\.1\.0, replayed with 5\.\d+\.\d+$/m)
  expect(out).toMatch(/^ {2}hint: Math\.random\(\) was read when .*roll.*: the recording was made with/m)
})

const SHOP = (exported: string) => `
import { assign, createMachine } from '${import.meta.resolve('xstate')}'
class Money { constructor(amount) { this.amount = amount } }
${exported}
export const shop = createMachine({
  id: 'shop',
  on: { pay: { guard: ({ event }) => event.price instanceof Money, actions: assign({ paid: true }) } },
})
`

test('finds classes among the exports of the module, and names those it does not find', async () => {
  class Money {
    readonly amount: number
    constructor(amount: number) {
      this.amount = amount
    }
  }
  const shop = createMachine({
    id: 'shop',
    on: { pay: { guard: ({ event }) => event.price instanceof Money, actions: assign({ paid: true }) } },
  })
  const recording = record(shop)
  recording.start()
  recording.actor.send({ type: 'pay', price: new Money(5) })
  const [trace, found, missing] = ['shop.jsonl', 'shop.mjs', 'missing.mjs'].map(name => join(folder, name))
  writeFileSync(trace ?? '', `${recording.lines().join('\n')}\n`)
  writeFileSync(found ?? '', SHOP('export const money = { Money }'))
  writeFileSync(missing ?? '', SHOP(''))
  const known = await ran(replayCommand, trace ?? '', '--machines', found ?? '')
  expect(known).toMatchObject({ code: 0 })
  const { code, out } = await ran(replayCommand, trace ?? '', '--machines', missing ?? '')
  expect(code).toBe(1)
  expect(out).toMatch(/^ {2}hint: Money at \/event\/price of the event pay \(#0\) lost its class/m)
})
