// Attaching apps to the console: a server that reconnects, pages of other origins, and a window next to the
// app.
import { expect, test } from 'vitest'
import { MessageDeduper, openWindowSource } from '../../../../src/ui/console/attach/app-sources.ts'
import { RemoteRecording } from '../../../../src/ui/console/attach/remote-recording.ts'
import { linkTab, TraceStreamer } from '../../../../src/ui/console/attach/tab-link.ts'
import {
  pageOf,
  tabOf,
  openWire,
  type FromApp,
  type FromWindow,
  type Wire,
} from '../../../../src/ui/console/attach/tab-protocol.ts'
import type { PlaceParams } from '../../../../src/ui/console/model/location.ts'
import type { StepRecord } from '../../../../src/trace/index.ts'
import { record } from '../../../../src/services/recording/index.ts'
import { createMachine } from 'xstate'
import { traceSource } from '../../console-trace.ts'

test('messages repeated by the server after a reconnect are taken once; older messages of continuing actors come first', () => {
  const taken: string[] = []
  const hearing = new MessageDeduper({
    take: (text, from) => taken.push(`${from}: ${text}`),
    disconnected: from => taken.push(`${from} is gone`),
  })
  const all = [
    { n: 1, from: 'app 1', text: 'announced' },
    { n: 9, from: 'app 2', text: 'announced' },
    { n: 7, from: 'app 1', text: 'last' },
  ]
  for (const message of [{ run: 'a' }, ...all, { apps: ['app 1', 'app 2'] }]) hearing.receive(message)
  for (const message of [{ run: 'a' }, ...all, { n: 10, from: 'app 1', text: 'new' }, { apps: ['app 1'] }])
    hearing.receive(message)
  hearing.receive({ run: 'b' })
  hearing.receive({ n: 1, from: 'app 1', text: 'another' })
  expect(taken).toEqual([
    'a app 1: announced',
    'a app 2: announced',
    'a app 1: last',
    'a app 1: new',
    'a app 2 is gone',
    'a app 1 is gone',
    'b app 1: another',
  ])
})

test('messages are accepted from an opener on this machine; from another site after the user allows it', () => {
  const posted: unknown[] = []
  const opener = { postMessage: (...messages: unknown[]) => posted.push(messages) }
  const listeners = new Set<(event: object) => void>()
  const page = {
    opener,
    location: { origin: 'http://localhost:8080' },
    addEventListener: (_: string, listener: (event: object) => void) => listeners.add(listener),
    removeEventListener: (_: string, listener: (event: object) => void) => listeners.delete(listener),
  }
  const window = Object.assign(page, { self: page, top: page }) as unknown as Window
  const [taken, strangers]: [unknown[], string[]] = [[], []]
  const source = openWindowSource({
    window,
    take: message => taken.push(message),
    onStranger: at => strangers.push(at),
  })
  const send = (data: string, origin: string, from: unknown = opener) =>
    listeners.forEach(listener => listener({ data, origin, source: from }))
  send('one', 'http://localhost:5173')
  send('two', 'http://localhost:5173', {})
  send('three', 'https://app.example')
  send('four', 'https://app.example')
  expect({ posted, taken, strangers }).toEqual({
    posted: [[{ type: '@statelyai.connected' }, '*']],
    taken: ['one'],
    strangers: ['https://app.example'],
  })
  source.allow('https://app.example')
  send('five', 'https://app.example')
  expect(taken).toEqual(['one', 'three', 'four', 'five'])
  source.close()
  expect(listeners.size).toBe(0)
})

/** Two connected ends in one process. */
function wires(): [Wire<FromApp, FromWindow>, Wire<FromWindow, FromApp>] {
  const toApp: ((message: FromWindow) => void)[] = []
  const toWindow: ((message: FromApp) => void)[] = []
  const copy = <T>(message: T): T => structuredClone(message)
  return [
    {
      send: message => toWindow.forEach(listener => listener(copy(message))),
      onMessage: listener => toApp.push(listener),
      close: () => undefined,
    },
    {
      send: message => toApp.forEach(listener => listener(copy(message))),
      onMessage: listener => toWindow.push(listener),
      close: () => undefined,
    },
  ]
}

test('a window next to the app has the whole recording, follows it, and switches to the next one', async () => {
  const lamp = createMachine({ id: 'lamp', initial: 'off', states: { off: { on: { go: 'on' } }, on: {} } })
  const recording = record(lamp)
  recording.start()
  const [appEnd, windowEnd] = wires()
  const shown = new RemoteRecording()
  const disconnect = shown.connect(windowEnd, () => 0)
  let ids = 0
  const docked: PlaceParams[] = []
  const link = linkTab({
    recording: {
      trace: recording.trace,
      isRecording: recording.isRecording,
      elapsed: recording.elapsed,
      start: recording.startRecording,
      stop: recording.stopRecording,
      download: async () => new Blob([await recording.file()]),
    },
    wire: appEnd,
    newId: () => `run ${(ids += 1)}`,
    onDock: at => docked.push(at),
  })
  await expect.poll(() => shown.trace.steps).toEqual(recording.trace.steps)
  expect([shown.isThere(), shown.isRecording(), shown.trace.header]).toEqual([
    true,
    true,
    recording.trace.header,
  ])
  recording.actor.send({ type: 'go' })
  await expect.poll(() => shown.trace.steps.map(({ value }) => value)).toEqual(['off', 'on'])
  expect((await shown.download()).size).toBeGreaterThan(100)
  shown.start()
  recording.actor.send({ type: 'go' })
  await expect
    .poll(() => shown.trace.steps.map(({ event }) => event.type))
    .toEqual(['chartroom.present', 'go'])
  shown.stop()
  await expect.poll(() => shown.isRecording()).toBe(false)
  windowEnd.send({ kind: 'dock', at: { at: '1', q: 'failed' } })
  link.close()
  expect([docked, shown.isThere(), shown.trace.steps.length]).toEqual([[{ at: '1', q: 'failed' }], false, 2])
  disconnect()
})

test('messages after the end are ignored without an error', async () => {
  const [one, other] = [
    openWire<string, string>('tab-of-this-test', String),
    openWire<string, string>('tab-of-this-test', String),
  ]
  const received: string[] = []
  other.onMessage(message => received.push(message))
  one.send('before')
  await expect.poll(() => received).toEqual(['before'])
  one.close()
  one.send('after')
  other.close()
  expect(received).toEqual(['before'])
})

test('a long recording is prepared and sent in batches, once each, until its link ends', async () => {
  const steps = Array.from({ length: 1_200 }, (_, seq) => ({ line: 'step', seq }) as unknown as StepRecord)
  const keyframes = Array.from({ length: 9 }, (_, at) => ({ line: 'keyframe', at }))
  const ready: StepRecord[] = []
  const listeners = new Set<() => void>()
  const trace = {
    ...traceSource({ actors: [], steps: [] }),
    subscribe: (listener: () => void) => (listeners.add(listener), () => void listeners.delete(listener)),
    get steps(): never {
      throw new Error('all at once')
    },
    batch(most: number) {
      ready.push(...steps.slice(ready.length, ready.length + most))
      return { actors: [], stimuli: [], steps: ready, isWhole: ready.length === 1_200, size: 1_200 }
    },
    bookmarks: [],
    tape: [],
    keyframes,
  }
  const messages: FromApp[] = []
  const wire = {
    send: (message: FromApp) => void messages.push(message),
    onMessage: () => undefined,
    close: () => undefined,
  }
  const telling = new TraceStreamer(
    {
      trace,
      isRecording: () => true,
      elapsed: () => 0,
      start: () => undefined,
      stop: () => undefined,
      download: () => Promise.reject(new Error()),
    },
    wire,
    'run 1',
  )
  // Sends one batch per request.
  for (const _ of [1, 2, 3]) telling.notify()
  const records = () =>
    messages.flatMap(one =>
      one.kind === 'records'
        ? [one.records.split('\n').map(line => JSON.parse(line) as { line: string })]
        : [],
    )
  const counts = (line: string) =>
    records()
      .map(list => list.filter(one => one.line === line).length)
      .filter(Boolean)
  await expect.poll(() => counts('keyframe')).toEqual([4, 4, 1])
  expect([counts('step'), listeners.size]).toEqual([[500, 500, 200], 1])
  telling.end()
  expect(listeners.size).toBe(0)
})

test("a separate window starts at the console's place in the app", () => {
  const page = new URL(pageOf('1-2-3-4-5', { at: '12', q: 'type:a b&c' }), 'http://localhost/data')
  expect([page.pathname, [...page.searchParams], tabOf(page.hash), pageOf('1-2-3-4-5')]).toEqual([
    '/console.html',
    [
      ['at', '12'],
      ['q', 'type:a b&c'],
    ],
    '1-2-3-4-5',
    '/console.html#tab=1-2-3-4-5',
  ])
})
