// The window's end of the link to an app that is slow, silent, or gone.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { encodeValue } from '../../../../src/trace/index.ts'
import type { RemoteDrive } from '../../../../src/ui/console/attach/remote-driven.ts'
import { RemoteRecording } from '../../../../src/ui/console/attach/remote-recording.ts'
import type { FromApp, FromWindow } from '../../../../src/ui/console/attach/tab-protocol.ts'

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A window whose app is played by the test. */
function link() {
  const sent: FromWindow[] = []
  const listeners: ((message: FromApp) => void)[] = []
  const shown = new RemoteRecording()
  const disconnect = shown.connect(
    {
      send: message => void sent.push(message),
      onMessage: listener => void listeners.push(listener),
      close: () => void (listeners.length = 0),
    },
    () => performance.now(),
  )
  const say = (message: FromApp) => listeners.forEach(listener => listener(message))
  return { sent, say, shown, disconnect }
}

const HELD = { seq: 4, by: 'hand', text: 'Paused manually' }
const state = (hold?: object) => ({
  hold,
  waiting: [],
  stale: 0,
  breakpoints: [],
  faults: [],
  speed: 1,
  ahead: 0,
})
const news = (hold?: object): FromApp => ({
  kind: 'drive',
  news: JSON.stringify(encodeValue({ state: state(hold), actors: [], timers: [] })),
})

/** The same with its control, and the app's message that pauses it. */
async function driving() {
  const one = link()
  const opening = one.shown.control.open()
  one.say(news(HELD))
  const drive = (await opening) as RemoteDrive['driven']
  const asked = () => one.sent.flatMap(message => (message.kind === 'do' ? [message.ask] : []))
  return { ...one, drive, asked }
}

test('an app that sends nothing counts as gone, until it sends again', async () => {
  const { say, shown, drive } = await driving()
  const notified = vi.fn<() => void>()
  shown.subscribe(notified)
  expect([shown.isThere(), drive.state().hold?.text]).toEqual([true, 'Paused manually'])
  for (let second = 0; second < 20; second += 1) {
    vi.advanceTimersByTime(1_000)
    say({ kind: 'state', run: 'one', isRecording: true, elapsed: second })
  }
  expect([shown.isThere(), shown.isRecording(), drive.state().hold?.text]).toEqual([
    true,
    true,
    'Paused manually',
  ])
  notified.mockClear()
  vi.advanceTimersByTime(10_000)
  expect(notified).toHaveBeenCalled()
  expect([shown.isThere(), shown.isRecording(), drive.state().hold]).toEqual([false, false, undefined])
  say(news(HELD))
  expect([shown.isThere(), drive.state().hold?.text]).toEqual([true, 'Paused manually'])
  say({ kind: 'gone' })
  expect([shown.isThere(), drive.state().hold]).toEqual([false, undefined])
})

test('a message that cannot be read does not show that the app is there', () => {
  const { say, shown } = link()
  say({ kind: 'unreadable', problem: 'it is none' })
  expect([shown.isThere(), shown.problem()]).toEqual([false, 'it is none'])
})

test('commands fail when the app is gone, or does not answer within 5 s', async () => {
  const { say, drive, asked } = await driving()
  const first = drive.breakOn({ on: 'event', event: 'x' })
  const second = drive.breakOn({ on: 'event', event: 'y' })
  const [one = -1, other = -1] = asked()
  say({ kind: 'did', ask: one, result: 'null' })
  expect(await first).toBeNull()
  const failed = vi.fn<(error: Error) => void>()
  void second.catch(failed)
  await vi.advanceTimersByTimeAsync(4_999)
  expect(failed).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(failed.mock.calls.map(([{ message }]) => message)).toEqual(['The app is closed or reloading'])
  // An answer that is late, or to nothing.
  say({ kind: 'did', ask: other, result: '1' })
  say({ kind: 'did', ask: 99, failure: 'no' })
  say(news(HELD))
  const third = drive.send('lamp', { type: 'x' })
  say({ kind: 'gone' })
  expect(await third).toBe(false)
})

test('a command fails with the reason of the app, or if its answer cannot be read', async () => {
  const { say, drive, asked } = await driving()
  const first = drive.breakOn({ on: 'event', event: 'x' })
  say({ kind: 'did', ask: asked().at(-1) ?? -1, failure: 'Not here' })
  await expect(first).rejects.toThrow('Not here')
  const second = drive.breakOn({ on: 'event', event: 'x' })
  say({ kind: 'did', ask: asked().at(-1) ?? -1, result: '{' })
  await expect(second).rejects.toThrow('The answer of the app cannot be read')
})

test('a path run has no limit, but ends with its app', async () => {
  const { say, drive, asked } = await driving()
  const reached: number[] = []
  const options = {
    signal: new AbortController().signal,
    onStep: (at: number) => void reached.push(at),
    payloads: [],
  }
  const ended = vi.fn<(taken: object) => void>()
  const run = drive.takeMeThere('lamp', [], options).then(ended)
  const ask = asked().at(-1) ?? -1
  for (let second = 0; second < 60; second += 1) {
    await vi.advanceTimersByTimeAsync(1_000)
    say({ kind: 'going', ask, at: second })
  }
  expect([reached.length, ended.mock.calls]).toEqual([60, []])
  await vi.advanceTimersByTimeAsync(20_000)
  await run
  expect(ended.mock.calls).toEqual([
    [{ outcome: 'stopped', at: 0, reason: 'Error: The app is closed or reloading' }],
  ])
})

test('a download fails with the reason of the app, or without an answer within 10 s', async () => {
  const { say, sent, shown } = link()
  const asked = () => sent.flatMap(message => (message.kind === 'save' ? [message.ask] : []))
  const [first, second, third, late] = [
    shown.download(),
    shown.download(),
    shown.download(),
    shown.download(),
  ]
  expect(asked()).toEqual([0, 1, 2, 3])
  say({ kind: 'file', ask: 1, failure: 'too large' })
  say({ kind: 'file', ask: 0, bytes: new Blob(['x']) })
  say({ kind: 'file', ask: 2 })
  expect((await first).size).toBe(1)
  await expect(second).rejects.toThrow('too large')
  await expect(third).rejects.toThrow('The app returned no file.')
  const failed = vi.fn<(error: Error) => void>()
  void late.catch(failed)
  await vi.advanceTimersByTimeAsync(9_999)
  expect(failed).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(failed.mock.calls.map(([{ message }]) => message)).toEqual(['The app is not responding.'])
  say({ kind: 'file', ask: 3, bytes: new Blob(['x']) })
})

test('disconnected, nothing waits', async () => {
  const { say, shown, disconnect } = link()
  say({ kind: 'here' })
  disconnect()
  expect(vi.getTimerCount()).toBe(0)
  vi.advanceTimersByTime(60_000)
  expect(shown.isThere()).toBe(false)
})

test('the time of the recording runs between the messages of the app, which correct it', () => {
  const { say, shown } = link()
  vi.advanceTimersByTime(2_000)
  say({ kind: 'run', run: 'one', isRecording: true, elapsed: 13_000, dropped: 0 })
  expect(shown.elapsed()).toBe(13_000)
  vi.advanceTimersByTime(3_000)
  expect(shown.elapsed()).toBe(16_000)
  // The app's clock was paused.
  say({ kind: 'state', run: 'one', isRecording: true, elapsed: 13_500 })
  expect(shown.elapsed()).toBe(13_500)
})
