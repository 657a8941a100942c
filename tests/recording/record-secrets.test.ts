// The canary: a secret placed in every possible position appears neither in the file nor in the live trace.
import { fromCallback, fromPromise, sendTo, setup, assign } from 'xstate'
import { expect, test } from 'vitest'
import { createSeededEntropy, type SystemParts } from '../../src/services/runtime/index.ts'
import { createRecorder } from '../../src/services/recording/index.ts'
import { deriveSteps, verify } from '../../src/services/replay/index.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'
import { encodeValue } from '../../src/trace/index.ts'

const CANARY = 'c4nary-Sings-in-the-mine'
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJl'
const PUBLISHABLE = 'sb_publishable_canary0123'

function compose({ env }: SystemParts) {
  const job = fromPromise<unknown, unknown>(() => {
    throw new Error(`refused ${CANARY} at http://h.test/?apikey=${PUBLISHABLE}`, {
      cause: { authorization: `Bearer ${JWT}` },
    })
  })
  const bird = fromCallback<{ type: 'feed' }, { key: string }>(({ sendBack, input }) =>
    sendBack({
      type: 'sang',
      song: [`la ${CANARY}`, { headers: [['Authorization', `Bearer ${JWT}`]] }],
      input,
    }),
  )
  return setup({
    types: {
      context: {} as Record<string, unknown>,
      input: {} as unknown,
      events: {} as { type: string; [key: string]: unknown },
    },
    actors: { job, bird },
  }).createMachine({
    id: 'mine',
    context: ({ input }) => ({ input, drawn: env.id() }),
    invoke: { src: 'bird', id: 'bird', input: ({ context }) => context['input'] as { key: string } },
    on: {
      sang: { actions: assign({ song: ({ event }) => event['song'] }) },
      work: {
        actions: assign(({ event, spawn }) => ({
          [String(event['password'])]: new Map([[event['password'], event['url']]]),
          job: spawn('job', { id: `job/${String(event['password'])}`, input: { key: event['password'] } }),
        })),
      },
      later: {
        actions: sendTo(
          ({ self }) => self,
          ({ event }) => ({ ...event, type: 'sang' }),
          { delay: 50 },
        ),
      },
      'xstate.error.actor.*': { actions: assign({ error: ({ event }) => event['error'] }) },
    },
  })
}

async function record(again: boolean, steps: boolean) {
  const clock = createVirtualClock()
  const entropy = createSeededEntropy(1)
  const input = { key: PUBLISHABLE, note: CANARY, session: { refresh_token: CANARY } }
  const recorder = createRecorder({ system: 'mine', appVersion: '1', clock, entropy, compose, input, steps })
  recorder.start()
  recorder.send({ type: 'work', password: CANARY, url: new URL(`http://h.test/?code=${CANARY}&x=${JWT}`) })
  recorder.send({ type: 'later', song: CANARY, input: { token: JWT } })
  clock.advance(10)
  if (again) recorder.startRecording()
  clock.advance(100)
  recorder.send({ type: 'work', password: CANARY })
  recorder.stop()
  return recorder
}

test.each([
  [false, true],
  [true, true],
  [false, false],
  [true, false],
])(
  'no secret is in the file or in the live trace (recorded again: %s, with steps: %s)',
  async (again, isViewed) => {
    const recorder = await record(again, isViewed)
    const { header, actors, stimuli, steps: records, tape, keyframes } = recorder.trace
    const file = recorder.lines().join('\n')
    const live = JSON.stringify(
      [header, actors, stimuli, records, tape, keyframes],
      (_key, value: unknown) =>
        value instanceof Map
          ? [...value]
          : value instanceof Error
            ? [value.message, value.stack, value.cause]
            : value,
    )
    const derived = deriveSteps(recorder.trace, { mine: compose })
    const steps = derived.kind === 'trace' ? derived.trace.steps : []
    expect([records.length > 4, steps.length > 4]).toEqual([isViewed, true])
    for (const secret of [CANARY, JWT, PUBLISHABLE, encodeURIComponent(CANARY)]) {
      expect(file).not.toContain(secret)
      expect(live).not.toContain(secret)
      expect(JSON.stringify(encodeValue(steps))).not.toContain(secret)
    }
    expect(file).toContain('[redacted:1]')
    expect(verify(recorder.trace, { mine: compose })).toMatchObject({
      outcome: 'exact',
      compared: records.length,
      ...(!isViewed && { keyframes: keyframes.filter(({ at }) => at > 0).length }),
    })
  },
)

test('a secret that is registered late is hidden in what was recorded before', async () => {
  const clock = createVirtualClock()
  const recorder = createRecorder({
    system: 'mine',
    appVersion: '1',
    clock,
    entropy: createSeededEntropy(1),
    compose,
  })
  recorder.start()
  recorder.send({ type: 'sang', song: 'the phrase is Sesame-open' })
  expect(recorder.trace.steps.at(-1)?.event).toEqual({ type: 'sang', song: 'the phrase is Sesame-open' })
  recorder.registerSecret('Sesame-open')
  const steps = recorder.lines().filter(line => line.includes('Sesame-open'))
  expect(steps).toEqual([])
})
