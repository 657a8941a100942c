// Sandboxes: a recorded run continues from any event in isolation, unchanged or changed, and replays exactly.
import type { EventObject } from 'xstate'
import { expect, test } from 'vitest'
import { attach, createSandbox } from '../../src/services/control/index.ts'
import { record } from '../../src/services/recording/index.ts'
import { verify } from '../../src/services/replay/index.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'
import type { ReplayableTrace, StateValue } from '../../src/trace/index.ts'
import { lighthouse } from '../harness/lighthouse.ts'

/** A recorded night: lit after the oil arrived, dimmed, and switched off. */
async function night() {
  const clock = createVirtualClock()
  let asked = 0
  const logic = lighthouse(() => void (asked += 1), Promise.resolve(7))
  const { actor, file, start } = record(logic, { clock })
  start()
  actor.send({ type: 'light' })
  await expect.poll(() => actor.getSnapshot().value).toBe('burning')
  actor.send({ type: 'dim', by: 3 })
  await clock.advanceAsync(1_000)
  const trace = await reread(await file())
  return { logic, trace, asked: () => asked }
}

async function reread(bytes: Uint8Array<ArrayBuffer>): Promise<ReplayableTrace> {
  const read = await readTrace(bytes)
  if (!('trace' in read)) throw new Error('it cannot be read')
  return read.trace
}

const seqOf = ({ stimuli }: ReplayableTrace, type: string) =>
  stimuli.findIndex(({ event }) => (event as EventObject | undefined)?.type === type)

test('continues from where it was; effects answer as instructed, and its timers are separate', async () => {
  const { asked, logic, trace } = await night()
  const sandbox = createSandbox(trace, { lighthouse: logic }, { at: seqOf(trace, 'light') + 1 })
  const { control, recording } = sandbox
  const state = () => control.actors()[0]?.value as StateValue
  expect([state(), asked(), sandbox.notes]).toEqual(['filling', 1, []])
  expect(control.actors().map(({ path }) => path)).toEqual([
    'lighthouse',
    'lighthouse/keeper',
    'lighthouse/grid',
    'lighthouse/oil',
  ])
  expect(control.emitAs('lighthouse/oil', { resolves: 99 })).toBe(true)
  expect(control.emitAs('lighthouse/grid', { type: 'power', watts: 12 })).toBe(true)
  expect(control.emitAs('lighthouse/keeper', { resolves: 1 })).toBe(false)
  expect([state(), control.timers().map(({ actor }) => actor)]).toEqual([
    'burning',
    ['lighthouse', 'lighthouse/keeper'],
  ])
  expect([control.time.toNextDeadline(), state()]).toEqual([true, 'dark'])
  const again = await reread(new Uint8Array(await (await recording.download()).arrayBuffer()))
  expect((verify(again, { lighthouse: logic }) as { readonly outcome: string }).outcome).toBe('exact')
  sandbox.dispose()
})

test('continues from a changed past', async () => {
  const { logic, trace } = await night()
  const dim = seqOf(trace, 'dim')
  const watts = (edits: Parameters<typeof createSandbox>[2]) => {
    const { control, dispose } = createSandbox(trace, { lighthouse: logic }, { at: dim + 1, ...edits })
    const now = control.find('lighthouse')?.getSnapshot() as
      { readonly context: { watts: number } } | undefined
    dispose()
    return now?.context.watts
  }
  expect([
    watts({}),
    watts({ edits: [{ edit: 'drop', seq: dim }] }),
    watts({ edits: [{ edit: 'change', seq: dim, event: { type: 'dim', by: 20 } as EventObject }] }),
  ]).toEqual([-3, 0, -20])
})

test('reports why no sandbox can be created', async () => {
  const { trace } = await night()
  expect(() => createSandbox(trace, {})).toThrow('unknown system "lighthouse"')
})

test('an attached system brings its logic along', () => {
  const logic = lighthouse(() => undefined, Promise.resolve(1))
  expect(attach(logic).control.systems).toEqual({ lighthouse: logic })
})
