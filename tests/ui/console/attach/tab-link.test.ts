// The app's end of the link to a window that is open, silent, or closed.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createMachine } from 'xstate'
import { attach } from '../../../../src/services/control/index.ts'
import { linkTab } from '../../../../src/ui/console/attach/tab-link.ts'
import type { FromApp, FromWindow } from '../../../../src/ui/console/attach/tab-protocol.ts'

const lamp = createMachine({ id: 'lamp', initial: 'off', states: { off: { on: { switch: 'on' } }, on: {} } })

const ends: (() => void)[] = []
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
})
afterEach(() => {
  for (const end of ends.splice(0)) end()
  vi.useRealTimers()
})

/** An app whose window is played by the test. */
async function linked() {
  const { actor, recording, control } = attach(lamp)
  actor.start()
  const sent: FromApp[] = []
  const moments: unknown[] = []
  const listeners: ((message: FromWindow) => void)[] = []
  const link = linkTab({
    recording,
    control,
    wire: {
      send: message => void sent.push(message),
      onMessage: listener => void listeners.push(listener),
      close: () => void (listeners.length = 0),
    },
    newId: () => `run ${sent.length}`,
    onDock: () => undefined,
    onMoment: moment => moments.push(moment?.step),
  })
  ends.push(link.close, () => actor.stop())
  const say = (...kinds: readonly ('hello' | 'drive' | 'alive' | 'closed')[]) => {
    for (const kind of kinds) for (const listener of listeners) listener({ kind })
  }
  const opened = await control.open()
  const held = () => opened.state().hold?.by
  /** Takes control and pauses, as the window does. */
  const drive = async () => {
    say('drive')
    await vi.advanceTimersByTimeAsync(0)
    opened.hold()
  }
  const kinds = () => sent.splice(0).map(({ kind }) => kind)
  const pass = (seconds: number, answers: boolean) => {
    for (let second = 0; second < seconds; second += 1) {
      vi.advanceTimersByTime(1_000)
      if (answers) say('alive')
    }
  }
  return { link, say, drive, held, kinds, pass, moments }
}

test('it says that it is there, and nothing else until a window says hello', async () => {
  const { kinds, say, pass } = await linked()
  expect(kinds()).toEqual(['here'])
  say('alive')
  pass(30, false)
  expect(kinds()).toEqual([])
})

test('it signals every second, for as long as the window answers', async () => {
  const { kinds, say, drive, held, pass } = await linked()
  say('hello')
  await drive()
  pass(2, true)
  kinds()
  pass(60, true)
  expect(kinds().filter(kind => kind === 'state')).toHaveLength(60)
  expect(held()).toBe('hand')
  pass(5, false)
  expect(held()).toBe('hand')
  pass(5, false)
  expect(held()).toBeUndefined()
  kinds()
  pass(60, false)
  expect(kinds()).toEqual([])
})

test('a window that was silent is served and drives again once it sends a message; after hello it only is served', async () => {
  const { kinds, say, drive, held, pass } = await linked()
  say('hello')
  await drive()
  pass(10, false)
  kinds()
  say('alive')
  await vi.advanceTimersByTimeAsync(0)
  expect(kinds()).toEqual(expect.arrayContaining(['run', 'records', 'drive']))
  await drive()
  pass(10, false)
  expect(held()).toBeUndefined()
  kinds()
  say('hello')
  await vi.advanceTimersByTimeAsync(0)
  const after = kinds()
  expect(after).toContain('run')
  expect(after).not.toContain('drive')
})

test('a window that says hello again gets the recording again, and keeps the control', async () => {
  const { kinds, say, drive, held, pass, moments } = await linked()
  say('hello')
  await drive()
  pass(3, true)
  kinds()
  say('hello')
  expect(kinds()).toContain('run')
  expect([held(), moments]).toEqual(['hand', []])
})

test('a closed window is not served, even if it sends a message later, until it says hello', async () => {
  const { kinds, say, drive, held, pass, moments } = await linked()
  say('hello')
  await drive()
  say('closed')
  expect([held(), moments]).toEqual([undefined, [undefined]])
  kinds()
  say('alive')
  pass(10, false)
  expect(kinds()).toEqual([])
  say('hello')
  expect(kinds()).toContain('run')
})

test('control that was taken without a hello ends when the window closes, or the link', async () => {
  const { link, say, drive, held } = await linked()
  await drive()
  say('closed')
  expect(held()).toBeUndefined()
  await drive()
  link.close()
  expect(held()).toBeUndefined()
})

test('a closed link reports it, and nothing waits', async () => {
  const { link, kinds, say } = await linked()
  const before = vi.getTimerCount()
  say('hello')
  expect(vi.getTimerCount()).toBeGreaterThan(before)
  kinds()
  link.close()
  expect(kinds().at(-1)).toBe('gone')
  expect(vi.getTimerCount()).toBe(before)
})
