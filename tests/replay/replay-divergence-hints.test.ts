// A replay that diverges although no machine changed names likely causes.
import { randomUUID } from 'node:crypto'
import { assign, createMachine } from 'xstate'
import type { AnyStateMachine } from 'xstate'
import { expect, test } from 'vitest'
import { env, taped } from '../../src/services/runtime/index.ts'
import { record } from '../../src/services/recording/index.ts'
import { verify, type ReplayReport } from '../../src/services/replay/index.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'

const keeping = (read: () => unknown) =>
  createMachine({
    id: 'keeper',
    context: { kept: 0 as unknown },
    on: { go: { actions: assign({ kept: read }) } },
  })

interface Given {
  readonly input?: unknown
  readonly platform?: boolean
  /** XState's version in the file. */
  readonly version?: string
  /** Called between the recording and its replay. */
  readonly between?: () => void
}

async function replayed(
  machine: AnyStateMachine,
  { version, between, ...options }: Given = {},
): Promise<ReplayReport & { readonly hints?: readonly string[] }> {
  const recording = record(machine, options)
  recording.start()
  recording.actor.send({ type: 'go', by: () => 'code' })
  const text = recording.lines().join('\n')
  const read = await readTrace(
    version ? text.replace(/"xstateVersion":"[^"]*"/, `"xstateVersion":"${version}"`) : text,
  )
  if (read.kind !== 'trace') throw new Error(read.message)
  between?.()
  return verify(read.trace, { keeper: machine })
}

test.each([
  ['Math.random()', () => Math.random()],
  ['performance.now()', () => performance.now()],
  ['crypto.randomUUID()', () => crypto.randomUUID()],
])('%s, read in a machine and not taped, is named', async (name, read) => {
  expect(await replayed(keeping(read), { platform: false })).toMatchObject({
    outcome: 'diverged',
    hints: expect.arrayContaining([
      `${name} was read when keeper took go: the recording was made with \`platform: false\``,
      '#0 go contains a function, which no trace can store',
    ]),
  })
})

test('the time of day, if not taped, is named', async () => {
  let ticks = 0
  const machine = keeping(() => [new Date().getTime() + ticks++, Date.now() + ticks])
  expect((await replayed(machine, { platform: false })).hints).toContainEqual(
    expect.stringMatching(/^Date\.now\(\) was read when keeper took go/),
  )
})

test('a function that was bound before the recorder was loaded is detected', async () => {
  const { hints } = await replayed(keeping(() => new Map([['id', randomUUID()]])))
  expect(hints?.[0]).toMatch(/^\/context\/kept.* has another value in each replay when keeper took go: /)
  const machine = keeping(taped('uuid', () => randomUUID()))
  expect(await replayed(machine)).toMatchObject({ outcome: 'exact' })
})

test('a value made when a module was loaded is detected', async () => {
  let loaded = randomUUID()
  const reload = () => void (loaded = randomUUID())
  const read = () => loaded
  expect((await replayed(keeping(read), { between: reload })).hints).toEqual([
    '/context/kept is the same in each replay, but was recorded with another value: it may be made when its module is loaded; read it through a function wrapped in taped()',
    '#0 go contains a function, which no trace can store',
  ])
  expect(await replayed(keeping(taped('loaded', read)), { between: reload })).toMatchObject({
    outcome: 'exact',
  })
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
  expect(await replayed(machine, { input: { make: () => 'it' } })).toMatchObject({
    outcome: 'diverged',
    hints: expect.arrayContaining(['the input contains a function, which no trace can store']),
  })
})

test('another version of XState is reported', async () => {
  const report = await replayed(
    keeping(() => 1),
    { version: '5.20.0' },
  )
  expect(report.xstate).toEqual({ was: '5.20.0', is: '5.33.3' })
})
