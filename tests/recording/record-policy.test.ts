// Secrets of every kind and in every place, by the built-in rules and by the app's: none of them survives.
import { assign, fromCallback, fromPromise, fromTransition, setup } from 'xstate'
import { expect, test } from 'vitest'
import { record, type Recording } from '../../src/services/recording/index.ts'
import { verify } from '../../src/services/replay/index.ts'
import { readTrace } from '../../src/trace/read/read-file.ts'
import type { RedactionPolicy } from '../../src/trace/index.ts'

const CANARY = 'c4nary-in-the-Mine'
const CARD = '4111-1111-1111-1111'
const PIN = 'zebra'

class Odd extends Error {
  readonly password = CANARY
  override name = `Odd ${CANARY}`
}

const leaf = fromCallback<{ type: string }>(({ sendBack }) => {
  sendBack({
    type: 'bytes',
    bytes: new TextEncoder().encode(`key=${CANARY}`),
    words: new Map([[CANARY, new Set([CANARY])]]),
  })
  throw new Odd(`at http://x.test/?q=${encodeURIComponent(CANARY)}`, { cause: { deep: [CANARY] } })
})

const machine = setup({
  types: { context: {} as Record<string, unknown>, events: {} as { type: string; [key: string]: unknown } },
  actors: {
    leaf,
    tail: fromTransition(
      (state: unknown) => state,
      ({ input }: { input: unknown }) => input,
    ),
    job: fromPromise(() => Promise.resolve(CANARY)),
  },
}).createMachine({
  id: 'mine',
  context: ({ input }) => ({ input, buffer: new Uint16Array([1, 2]) }),
  on: {
    bytes: { actions: assign(({ event }) => ({ last: event })) },
    'xstate.error.actor.*': { actions: assign(({ event }) => ({ error: event['error'] })) },
    work: {
      actions: assign(({ event, spawn, self }) => ({
        [`key of ${String(event['password'])}`]: event,
        leaf: spawn('leaf', { id: `leaf ${String(event['password'])}`, input: { self, event } }),
        tail: spawn('tail', {
          id: 'tail',
          systemId: `tail ${String(event['password'])}`,
          input: [event['password']],
        }),
        job: spawn('job', { input: new URL(`http://x.test/${String(event['password'])}`) }),
      })),
    },
    pay: {
      actions: assign(({ event }) => ({ paid: event['card'], pin: event['pin'], hint: event['secret'] })),
    },
  },
})

async function run(redact?: RedactionPolicy): Promise<Recording> {
  const recording = record(machine, {
    input: { password: CANARY },
    keyframeEvery: 1,
    ...(redact && { redact }),
  })
  recording.start()
  recording.actor.send({ type: 'work', password: CANARY, at: new Date(0) })
  await Promise.resolve()
  recording.actor.send({
    type: 'pay',
    card: `card ${CARD}`,
    pin: PIN,
    secret: 'of the trade',
    seat: { row: 7 },
  })
  recording.stop()
  return recording
}

/** Everything that a reader of the live trace could find, as text. */
function stringsIn(value: unknown, seen = new Set<unknown>()): string {
  if (typeof value !== 'object' || value === null) return String(value)
  if (seen.has(value)) return ''
  seen.add(value)
  if (ArrayBuffer.isView(value)) return new TextDecoder().decode(value as Uint8Array)
  const entries = value instanceof Map || value instanceof Set ? [...value] : []
  const own = Reflect.ownKeys(value).flatMap(key => [String(key), stringsIn(Reflect.get(value, key), seen)])
  return [...own, ...entries.map(entry => stringsIn(entry, seen))].join(' ')
}

function everything({ trace, lines }: Recording): [string, string] {
  const { header, actors, stimuli, steps, tape, keyframes, damage } = trace
  const live = stringsIn([header, actors, stimuli, steps, tape, keyframes, damage])
  const file = lines()
  const bytes = [...file.join('\n').matchAll(/"kind":"Uint8Array","value":"([^"]*)"/g)].map(([, text = '']) =>
    atob(text),
  )
  return [live, [...file, ...bytes].join('\n')]
}

test('the canary is in no line, live view, keyframe or name', async () => {
  const recording = await run()
  expect(recording.trace.keyframes.length).toBeGreaterThan(0)
  for (const text of everything(recording)) {
    expect(text).toContain('[redacted:1]')
    for (const form of [CANARY, encodeURIComponent(CANARY), btoa(CANARY)]) expect(text).not.toContain(form)
  }
  expect(verify(recording.trace, { mine: machine }).outcome).toBe('exact')
})

test('an app adds keys and patterns, allows others, and hides values of its choice', async () => {
  const hide = (key: string) => key === 'seat'
  const recording = await run({
    keys: ['PIN'],
    patterns: [/\d{4}-\d{4}-\d{4}-\d{4}/],
    allow: ['secret'],
    hide,
  })
  const { trace } = recording
  for (const text of everything(recording)) {
    for (const secret of [CANARY, CARD, PIN]) expect(text).not.toContain(secret)
    expect(text).toContain('of the trade')
  }
  const pay = trace.stimuli.find(
    ({ event }) => (event as { type?: string } | undefined)?.type === 'pay',
  )?.event
  const pseudonym = expect.stringMatching(/^\[redacted:\d+\]$/)
  const card = expect.stringMatching(/^card \[redacted:\d+\]$/)
  expect(pay).toEqual({ type: 'pay', card, pin: pseudonym, secret: 'of the trade', seat: pseudonym })
  expect(trace.header.redaction.policy).toBe('keys-and-values-1, and rules of the app')
  const read = await readTrace(recording.lines().join('\n'))
  expect(read.kind === 'trace' && verify(read.trace, { mine: machine }).outcome).toBe('exact')
})

test('an app without rules gets the built-in ones', async () => {
  const [, file] = everything(await run())
  expect(file).toContain(CARD)
  expect(file).not.toContain('of the trade')
})

test('a rule that fails hides the value', async () => {
  const hide = (key: string) => {
    if (key === 'card') throw new Error('a rule failed')
    return false
  }
  const [live, file] = everything(await run({ hide }))
  expect(live).not.toContain(CARD)
  expect(file).not.toContain(CARD)
})
