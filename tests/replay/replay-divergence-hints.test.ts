// A replay that diverges although no machine changed names likely causes.
import { assign, createMachine } from 'xstate'
import type { AnyStateMachine } from 'xstate'
import { expect, test } from 'vitest'
import { env } from '../../src/services/runtime/ambient-env.ts'
import { record } from '../../src/services/recording/record.ts'
import { verify } from '../../src/services/replay/verify/verify.ts'
import type { ReplayReport } from '../../src/services/replay/verify/verify.ts'
import { readTrace } from '../../src/trace/read/decode.ts'

const keeping = (read: () => unknown) =>
  createMachine({
    id: 'keeper',
    context: { kept: 0 as unknown },
    on: { go: { actions: assign({ kept: read }) } },
  })

async function replayed(machine: AnyStateMachine, input?: unknown, version?: string): Promise<ReplayReport> {
  const recording = record(machine, input === undefined ? {} : { input })
  recording.start()
  recording.actor.send({ type: 'go', by: () => 'code' })
  const text = recording.lines().join('\n')
  const read = await readTrace(
    version ? text.replace(/"xstateVersion":"[^"]*"/, `"xstateVersion":"${version}"`) : text,
  )
  if (read.kind !== 'trace') throw new Error(read.message)
  return verify(read.trace, { keeper: machine })
}

test.each([
  ['Math.random()', () => Math.random()],
  ['performance.now()', () => performance.now()],
  ['crypto.randomUUID()', () => crypto.randomUUID()],
])('%s, read in a machine, is named', async (name, read) => {
  expect(await replayed(keeping(read))).toMatchObject({
    outcome: 'diverged',
    hints: [
      `${name} was read when keeper took go: only values read from env are repeated in a replay`,
      '#0 go contains a function, which no trace can store',
    ],
  })
})

test('the time of day is named, and the platform is restored', async () => {
  let ticks = 0
  const machine = keeping(() => [new Date().getTime() + ticks++, Date.now() + ticks])
  const before = [Date, Math.random, Object.getOwnPropertyDescriptor(crypto, 'randomUUID')]
  expect(await replayed(machine)).toMatchObject({
    hints: [
      expect.stringMatching(/^new Date\(\) was read when keeper took go/),
      expect.stringMatching(/^Date\.now\(\) was read when keeper took go/),
      expect.stringContaining('contains a function'),
    ],
  })
  expect([Date, Math.random, Object.getOwnPropertyDescriptor(crypto, 'randomUUID')]).toEqual(before)
})

test('values read from env are reproduced', async () => {
  const machine = keeping(() => [env.random(), env.now(), env.id()])
  expect(await replayed(machine)).toMatchObject({ outcome: 'exact' })
})

test('a function in the input is named', async () => {
  const machine = createMachine({
    id: 'keeper',
    context: ({ input }: { input: { make?: () => string } }) => ({ made: input.make?.() }),
  })
  expect(await replayed(machine, { make: () => 'it' })).toMatchObject({
    outcome: 'diverged',
    hints: expect.arrayContaining(['the input contains a function, which no trace can store']),
  })
})

test('another version of XState is reported', async () => {
  const report = await replayed(
    keeping(() => 1),
    undefined,
    '5.20.0',
  )
  expect(report.xstate).toEqual({ was: '5.20.0', is: '5.33.3' })
})
