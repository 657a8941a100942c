// Several systems of one page, as a panel of the developer tools receives them over JSON.
import { runInThisContext } from 'node:vm'
import { afterEach, expect, test, vi } from 'vitest'
import { createMachine, type AnyActorRef } from 'xstate'
import { openPageWire } from '../../src/extension/page-wire.ts'
import { attach } from '../../src/services/control/index.ts'
import { RemoteRecording } from '../../src/ui/console/attach/remote-recording.ts'
import { type ConsoleSystem, Systems } from '../../src/ui/console/attach/systems.ts'
import { exposeSystems } from '../../src/vite/page/exposed.ts'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean()
  vi.unstubAllGlobals()
})

const toggle = (id: string) =>
  createMachine({
    id,
    initial: 'off',
    states: { off: { on: { switch: 'on' } }, on: { on: { switch: 'off' } } },
  })

interface Made extends ConsoleSystem {
  readonly actor: AnyActorRef
  end(): void
}

function started(name: string): Made {
  const { actor, recording, control } = attach(toggle(name))
  let isRunning = true
  actor.start()
  return {
    name,
    actor,
    recording,
    control,
    isRunning: () => isRunning,
    end() {
      actor.stop()
      isRunning = false
    },
  }
}

function memory(name?: string) {
  let value = name
  return { read: () => value, write: (next: string) => void (value = next) }
}

const labelsOf = (systems: Systems) =>
  systems.entries().map(({ label, isRunning }) => `${label}${isRunning ? '' : ' (ended)'}`)

test('systems are listed in the order of their start; the first running one is shown until it ends', () => {
  const systems = new Systems(memory())
  const [first, second] = [started('lamp'), started('clock')]
  systems.add(first)
  systems.add(second)
  expect([labelsOf(systems), systems.shown()?.name]).toEqual([['lamp', 'clock'], 'lamp'])
  first.end()
  systems.refresh()
  expect([labelsOf(systems), systems.shown()?.name]).toEqual([['lamp (ended)', 'clock'], 'clock'])
})

test('a chosen system stays after its end, and is followed by one of its name', () => {
  const name = memory()
  const systems = new Systems(name)
  const [lamp, clock] = [started('lamp'), started('clock')]
  systems.add(clock)
  systems.add(lamp)
  systems.show(2)
  lamp.end()
  systems.refresh()
  expect([systems.shown()?.id, name.read()]).toEqual([2, 'lamp'])
  systems.add(started('lamp'))
  expect([systems.shown()?.id, labelsOf(systems)]).toEqual([3, ['clock', 'lamp (ended)', 'lamp #2']])
})

test('the name that was chosen before a reload is chosen again', () => {
  const systems = new Systems(memory('lamp'))
  systems.add(started('clock'))
  expect(systems.shown()?.name).toBe('clock')
  systems.add(started('lamp'))
  expect(systems.shown()?.name).toBe('lamp')
})

test('of systems that ended, the last 20 stay, and the shown one', () => {
  const systems = new Systems(memory())
  const first = started('shown')
  systems.add(first)
  systems.show(1)
  first.end()
  for (let n = 0; n < 25; n += 1) {
    const made = started(`row ${n}`)
    systems.add(made)
    made.end()
  }
  systems.refresh()
  expect(labelsOf(systems)).toEqual([
    'shown (ended)',
    ...Array.from({ length: 20 }, (_, n) => `row ${n + 5} (ended)`),
  ])
})

const eventsOf = (recording: RemoteRecording) => recording.trace.steps.map(({ event }) => event.type)

test('a panel receives the shown system, chooses another, and saves it', async () => {
  vi.stubGlobal('window', Object.assign(new EventTarget(), { crypto: globalThis.crypto }))
  const systems = new Systems(memory())
  const [lamp, clock] = [started('lamp'), started('clock')]
  systems.add(lamp)
  systems.add(clock)
  lamp.actor.send({ type: 'switch' })
  const endWires = exposeSystems(systems)
  const recording = new RemoteRecording()
  const wire = openPageWire({
    run: code => Promise.resolve(runInThisContext(code) as unknown),
    reload: () => undefined,
    onNavigated: () => undefined,
  })
  cleanups.push(
    recording.connect(wire, () => performance.now()),
    endWires,
  )
  await expect.poll(() => eventsOf(recording)).toEqual(['xstate.init', 'switch'])
  expect(recording.systems()).toEqual({
    entries: [
      { id: 1, label: 'lamp', isRunning: true },
      { id: 2, label: 'clock', isRunning: true },
    ],
    shown: 1,
  })
  const driven = await recording.control.open()
  recording.show(2)
  await expect.poll(() => eventsOf(recording)).toEqual(['xstate.init'])
  expect([recording.systems().shown, recording.earlier()]).toEqual([2, []])
  // Control follows to the other system.
  await expect.poll(() => driven.actors().map(({ path }) => path)).toEqual(['clock'])
  expect(await driven.send('clock', { type: 'switch' })).toBe(true)
  await expect.poll(() => eventsOf(recording)).toEqual(['xstate.init', 'switch'])
  const file = await recording.download()
  expect([file.type, file.size > 200]).toEqual(['application/gzip', true])
})
