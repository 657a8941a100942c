// A window next to the app: controls the system over the channel, keeps recordings across reloads, and adds
// notes.
import { afterEach, expect, test, vi } from 'vitest'
import { createMachine } from 'xstate'
import { verify } from '../../../../src/services/replay/index.ts'
import { attach, type Attached } from '../../../../src/services/control/index.ts'
import { readTrace } from '../../../../src/trace/read/read-file.ts'
import { encodeFile } from '../../../../src/trace/write/encode.ts'
import type { ReplayableTrace } from '../../../../src/trace/index.ts'
import { driven, type Driven } from '../../../../src/ui/console/drive/driven.ts'
import { RemoteRecording } from '../../../../src/ui/console/attach/remote-recording.ts'
import type { OnMoment } from '../../../../src/ui/console/index.ts'
import { linkTab } from '../../../../src/ui/console/attach/tab-link.ts'
import type { FromApp, FromWindow, Wire } from '../../../../src/ui/console/attach/tab-protocol.ts'

const lamp = createMachine({
  id: 'lamp',
  initial: 'off',
  states: {
    off: { on: { switch: 'on' } },
    on: { on: { switch: 'off' }, after: { 60_000: 'burnt' } },
    burnt: {},
  },
})

const ends: (() => void)[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const end of ends.splice(0)) end()
})

/** A channel whose app end several pages can use in turn; messages arrive asynchronously, as between tabs. */
function channel() {
  const toApp = new Set<(message: FromWindow) => void>()
  const toWindow = new Set<(message: FromApp) => void>()
  const later = <T>(message: T, to: ReadonlySet<(message: T) => void>) => {
    const copy = structuredClone(message)
    queueMicrotask(() => to.forEach(listener => listener(copy)))
  }
  const appEnd = (): Wire<FromApp, FromWindow> => {
    const own = new Set<(message: FromWindow) => void>()
    return {
      send: message => later(message, toWindow),
      onMessage: listener => void (own.add(listener), toApp.add(listener)),
      close: () => own.forEach(listener => toApp.delete(listener)),
    }
  }
  const windowEnd: Wire<FromWindow, FromApp> & { freeze: () => () => void } = {
    send: message => later(message, toApp),
    onMessage: listener => void toWindow.add(listener),
    close: () => toWindow.clear(),
    /** Buffers messages until the returned function is called. */
    freeze() {
      const hearing = [...toWindow]
      const missed: FromApp[] = []
      toWindow.clear()
      toWindow.add(message => void missed.push(message))
      return () => {
        toWindow.clear()
        hearing.forEach(listener => toWindow.add(listener))
        for (const message of missed) toWindow.forEach(listener => listener(message))
      }
    },
  }
  return { appEnd, windowEnd }
}

let runs = 0

/** A page of the app, linked to the window. */
function page(
  appEnd: Wire<FromApp, FromWindow>,
  onMoment?: OnMoment,
): Attached<typeof lamp> & { leave: () => void } {
  const attached = attach(lamp)
  attached.actor.start()
  const link = linkTab({
    recording: attached.recording,
    control: attached.control,
    wire: appEnd,
    newId: () => `run ${(runs += 1)}`,
    onDock: () => undefined,
    onMoment,
  })
  ends.push(link.close)
  const leave = () => {
    link.leave()
    link.close()
    attached.actor.stop()
  }
  ends.push(() => attached.actor.stop())
  return { ...attached, leave }
}

async function beside() {
  const { appEnd, windowEnd } = channel()
  const app = page(appEnd())
  const shown = new RemoteRecording()
  ends.push(shown.connect(windowEnd, () => performance.now()))
  const drive = (await shown.control.open()) as Driven
  return { app, appEnd, windowEnd, shown, drive }
}

const steps = (of: { readonly trace: { readonly steps: readonly { readonly event: object }[] } }) =>
  of.trace.steps.map(({ event }) => (event as { readonly type: string }).type)

test('damage of the recording reaches the window, where it is unusable for the same reason', async () => {
  const { app, shown } = await beside()
  const { mailbox } = app.actor as unknown as { mailbox: { enqueue(event: object): void } }
  mailbox.enqueue({ type: 'switch' })
  const reason = 'lamp processed switch without a recorded cause; this cannot be replayed'
  await expect.poll(() => shown.trace.damage).toEqual([{ at: 0, message: reason }])
  await expect.poll(() => shown.trace.steps.length).toBe(2)
  const trace = shown.trace as ReplayableTrace
  expect(verify(trace, { lamp })).toMatchObject({ outcome: 'unusable', reason })
})

test('the app knows the past moment that the window shows, and brings it back to now', async () => {
  const moments: (readonly unknown[] | undefined)[] = []
  let toNow = () => undefined as void
  const { appEnd, windowEnd } = channel()
  const app = page(appEnd(), moment => {
    toNow = moment?.toNow ?? toNow
    moments.push(moment && [moment.step, moment.latest('lamp')?.value, moment.latest('candle')])
  })
  const shown = new RemoteRecording()
  ends.push(shown.connect(windowEnd, () => performance.now()))
  app.actor.send({ type: 'switch' })
  await expect.poll(() => steps(shown)).toEqual(['xstate.init', 'switch'])
  const now = vi.fn<() => void>()
  windowEnd.onMessage(({ kind }) => kind === 'now' && now())
  const { dropped } = shown.trace
  windowEnd.send({ kind: 'moment', step: 0 + dropped })
  windowEnd.send({ kind: 'moment', step: 1 + dropped })
  windowEnd.send({ kind: 'moment', step: 7 + dropped })
  await expect.poll(() => moments).toEqual([[0, 'off', undefined], [1, 'on', undefined], undefined])
  toNow()
  await expect.poll(() => now.mock.calls.length).toBe(1)
  windowEnd.send({ kind: 'moment', step: dropped })
  windowEnd.send({ kind: 'closed' })
  await expect.poll(() => moments.slice(3)).toEqual([[0, 'off', undefined], undefined])
})

test('it pauses, steps, sends, fires timers and resumes, and sees the effects', async () => {
  const { app, drive, shown } = await beside()
  expect([drive.state().hold, drive.actors()]).toEqual([
    undefined,
    [{ path: 'lamp', kind: 'machine', src: 'lamp', value: 'off' }],
  ])
  drive.hold()
  await expect.poll(() => drive.state().hold?.text).toBe('Paused manually')
  app.actor.send({ type: 'switch' })
  await expect.poll(() => drive.state().waiting.map(({ event }) => event.type)).toEqual(['switch'])
  expect(app.actor.getSnapshot().value).toBe('off')
  drive.step()
  await expect.poll(() => drive.actors()[0]?.value).toBe('on')
  drive.release()
  await expect.poll(() => drive.state().hold).toBe(undefined)
  const [timer] = drive.timers()
  expect([timer?.actor, timer?.delay]).toEqual(['lamp', 60_000])
  expect(timer?.left).toBeLessThanOrEqual(60_000)
  expect(await drive.send('lamp', { type: 'nothing' })).toBe(true)
  expect(await drive.send('nobody', { type: 'nothing' })).toBe(false)
  drive.time.fire(timer?.number ?? -1)
  await expect.poll(() => drive.actors()[0]?.value).toBe('burnt')
  await expect
    .poll(() => steps(shown))
    .toEqual(['xstate.init', 'switch', 'nothing', 'xstate.after.60000.lamp.on'])
})

test('it sets breakpoints and the clock speed, and reports what failed', async () => {
  const { app, drive } = await beside()
  await drive.breakOn({ on: 'state', state: 'on' })
  await expect.poll(() => drive.state().breakpoints.map(({ text }) => text)).toEqual(['any actor enters on'])
  app.actor.send({ type: 'switch' })
  await expect.poll(() => drive.state().hold?.seq).toBe(1)
  drive.time.setSpeed(100)
  drive.changeBreakpoint(drive.state().breakpoints[0]?.id ?? -1, { isOn: false })
  await expect.poll(() => [drive.state().speed, drive.state().breakpoints[0]?.isOn]).toEqual([100, false])
  drive.removeBreakpoint(drive.state().breakpoints[0]?.id ?? -1)
  await expect.poll(() => drive.state().breakpoints).toEqual([])
  const way = drive.takeMeThere(
    'nobody',
    [{ name: 'a', from: '', event: 'e', means: 'send', targets: [], active: [] }],
    {
      signal: new AbortController().signal,
      onStep: () => undefined,
      payloads: [{}],
    },
  )
  expect(await way).toEqual({ outcome: 'stopped', at: 0, reason: 'nobody has ended' })
})

test('after a reload it has both recordings, controls the new page, and sets its breakpoints there', async () => {
  const { app, appEnd, shown, drive } = await beside()
  app.actor.send({ type: 'switch' })
  app.actor.send({ type: 'switch' })
  await drive.breakOn({ on: 'state', state: 'on' })
  app.recording.bookmark('before', 0)
  await expect.poll(() => drive.state().breakpoints.length).toBe(1)
  await expect
    .poll(() => (shown.trace as unknown as { bookmarks: object[] }).bookmarks)
    .toEqual([{ line: 'bookmark', step: 0, note: 'before' }])
  drive.hold()
  await expect.poll(() => drive.state().hold?.by).toBe('hand')
  app.leave()
  await expect.poll(() => [shown.isThere(), drive.state().hold]).toEqual([false, undefined])
  expect(await drive.send('lamp', { type: 'switch' })).toBe(false)
  await expect(drive.breakOn({ on: 'event', event: 'x' })).rejects.toThrow('The app is closed')
  expect(shown.earlier()).toEqual([])
  const first = shown.trace

  const again = page(appEnd())
  await expect.poll(() => shown.trace !== first && steps(shown)).toEqual(['xstate.init'])
  const [before] = shown.earlier()
  expect([before?.steps.length, before?.live]).toEqual([3, false])
  const read = await readTrace(before ? await encodeFile(before) : new Uint8Array())
  expect('trace' in read && verify(read.trace, { lamp })).toMatchObject({ outcome: 'exact', compared: 3 })
  await expect.poll(() => drive.state().breakpoints.map(({ text }) => text)).toEqual(['any actor enters on'])
  again.actor.send({ type: 'switch' })
  await expect.poll(() => drive.state().hold?.seq).toBe(1)
  shown.bookmark('it broke here', 1)
  await expect
    .poll(() => (again.recording.trace as unknown as { bookmarks: object[] }).bookmarks)
    .toEqual([{ line: 'bookmark', step: 1, note: 'it broke here' }])
})

test('a closed window resumes the system; so does one that stops responding', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  const { app, windowEnd, drive } = await beside()
  const control = await app.control.open()
  drive.hold()
  await vi.waitFor(() => expect(control.state().hold?.by).toBe('hand'))
  windowEnd.send({ kind: 'closed' })
  await vi.waitFor(() => expect(control.state().hold).toBe(undefined))

  windowEnd.send({ kind: 'hello' })
  windowEnd.send({ kind: 'drive' })
  drive.hold()
  await vi.waitFor(() => expect(control.state().hold?.by).toBe('hand'))
  windowEnd.close()
  vi.advanceTimersByTime(10_000)
  await vi.waitFor(() => expect(control.state().hold).toBe(undefined))
})

test('breakpoints are inactive without an observer, and active again with one', async () => {
  const { app, windowEnd, drive } = await beside()
  const control = await app.control.open()
  const known = () => control.state().breakpoints.map(({ isOn }) => isOn)
  await drive.breakOn({ on: 'state', state: 'on' })
  await drive.breakOn({ on: 'state', state: 'burnt' })
  drive.changeBreakpoint(control.state().breakpoints[1]?.id ?? -1, { isOn: false })
  await expect.poll(known).toEqual([true, false])
  windowEnd.send({ kind: 'closed' })
  await expect.poll(known).toEqual([false, false])
  app.actor.send({ type: 'switch' })
  expect([control.state().hold, app.actor.getSnapshot().value]).toEqual([undefined, 'on'])
  app.actor.send({ type: 'switch' })

  const here = driven(control)
  const leave = here.attend()
  const leaveToo = here.attend()
  expect(known()).toEqual([true, false])
  leave()
  leave()
  app.actor.send({ type: 'switch' })
  expect(control.state().hold?.text).toBe('After any actor enters on')
  leaveToo()
  expect([control.state().hold, known()]).toEqual([undefined, [false, false]])
})

test('a window that was suspended for a while controls again, and has the records it missed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  const { app, windowEnd, shown, drive } = await beside()
  const control = await app.control.open()
  const thaw = windowEnd.freeze()
  vi.advanceTimersByTime(10_000)
  app.actor.send({ type: 'switch' })
  thaw()
  await vi.waitFor(() => expect(steps(shown)).toEqual(['xstate.init', 'switch']))
  drive.hold()
  await vi.waitFor(() => expect(control.state().hold?.by).toBe('hand'))
  await vi.waitFor(() => expect(drive.state().hold?.by).toBe('hand'))
})

test('a pause survives the way back into the app, but not if no console opens there', async () => {
  const { app, windowEnd, drive } = await beside()
  const control = await app.control.open()
  drive.hold()
  await expect.poll(() => control.state().hold?.by).toBe('hand')
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  windowEnd.send({ kind: 'dock', at: {} })
  // It arrives a microtask later.
  await Promise.resolve()
  expect(control.state().hold?.by).toBe('hand')
  vi.advanceTimersByTime(10_000)
  expect(control.state().hold).toBe(undefined)
})
