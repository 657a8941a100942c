// The systems of a page: which one the console shows as they start, end, and are chosen.
import { expect, test } from 'vitest'
import { createMachine } from 'xstate'
import { attach } from '../../src/services/control/index.ts'
import { Systems } from '../../src/ui/console/attach/systems.ts'

const machine = createMachine({ id: 'lamp' })

function started(systems: Systems) {
  const { actor, recording } = attach(machine)
  actor.start()
  const isRunning = () => actor.getSnapshot().status === 'active'
  systems.add({ name: machine.id, recording, isRunning })
  return () => {
    actor.stop()
    systems.refresh()
  }
}

test('a system that ended gives way to its successor, but not once it is chosen', () => {
  const systems = new Systems({ read: () => undefined, write: () => undefined })
  const labels = () => systems.entries().map(({ label }) => label)
  const shown = () => labels()[systems.entries().findIndex(({ id }) => id === systems.shown()?.id)]
  const endFirst = started(systems)
  const endSecond = started(systems)
  expect([labels(), shown()]).toEqual([['lamp', 'lamp #2'], 'lamp'])
  endFirst()
  expect(shown()).toBe('lamp #2')
  systems.show(systems.entries()[0]?.id ?? -1)
  expect(shown()).toBe('lamp')
  started(systems)
  systems.refresh()
  expect(shown()).toBe('lamp')
  systems.show(systems.entries()[1]?.id ?? -1)
  endSecond()
  expect(shown()).toBe('lamp #3')
})
