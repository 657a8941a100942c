// Edit and replay: a saved module is loaded, driven and applied, or updated as usual, and a second save replaces the first.
import { expect, test } from 'vitest'
import { createActor, fromCallback, type EventObject, type NonReducibleUnknown } from 'xstate'
import {
  type EditReplayEvent,
  editReplayMachine,
  type SavedModule,
} from '../../src/machines/console/edit-replay.ts'

const MODULE: SavedModule = { file: 'till.ts', url: '/till.ts?t=2', liveUrl: '/till.ts', isHeld: true }

function start() {
  const journal: string[] = []
  const port = (name: string) =>
    fromCallback<EventObject, NonReducibleUnknown, EditReplayEvent>(({ sendBack }) => {
      journal.push(name)
      if (name === 'requestUpdate') sendBack({ type: 'update.sent' })
      return () => void journal.push(`end of ${name}`)
    })
  const actors = {
    loadEdit: port('loadEdit'),
    driveEdit: port('driveEdit'),
    applyEdit: port('applyEdit'),
    requestUpdate: port('requestUpdate'),
  }
  const actor = createActor(editReplayMachine.provide({ actors: actors as never })).start()
  return {
    journal,
    send: (...events: readonly EditReplayEvent[]) => events.forEach(event => actor.send(event)),
    value: () => actor.getSnapshot().value,
    context: () => actor.getSnapshot().context,
  }
}

const saved = (module: Partial<SavedModule> = {}): EditReplayEvent => ({
  type: 'module.saved',
  saved: { ...MODULE, ...module },
})
const loaded: EditReplayEvent = { type: 'edit.loaded', concerned: 1 }

test('a second save ends the drive of the first', () => {
  const { journal, send, value, context } = start()
  send(saved(), loaded, { type: 'drive.progressed', progress: { count: 5, total: 10 } })
  expect([value(), context().progress.count]).toEqual(['driving', 5])
  send(saved({ file: 'desk.ts' }))
  expect([value(), context().progress.count, context().saved.file]).toEqual(['loading', 0, 'desk.ts'])
  expect(journal).toEqual(['loadEdit', 'end of loadEdit', 'driveEdit', 'end of driveEdit', 'loadEdit'])
})

test('a result is applied once, and only if the update waits', () => {
  const held = start()
  held.send(
    saved(),
    loaded,
    { type: 'drive.finished' },
    { type: 'apply.requested' },
    { type: 'apply.requested' },
  )
  expect(held.value()).toBe('applying')
  held.send({ type: 'edit.applied' })
  expect(held.value()).toBe('applied')
  const updated = start()
  updated.send(saved({ isHeld: false }), loaded, { type: 'drive.finished' }, { type: 'apply.requested' })
  updated.send({ type: 'update.requested' })
  expect(updated.value()).toBe('judged')
})

test('what only an update replaces is updated as usual, and so is a module that no system uses', () => {
  for (const event of [
    { type: 'edit.refused', message: 'It exports format.', needsUpdate: true },
    { type: 'edit.loaded', concerned: 0 },
  ] as const) {
    const { journal, send, value } = start()
    send(saved(), event)
    expect([value(), journal.at(2)]).toEqual(['idle', 'requestUpdate'])
  }
  const { send, value } = start()
  send(saved({ isHeld: false }), { type: 'edit.loaded', concerned: 0 })
  expect(value()).toBe('idle')
})

test('a module that cannot be loaded says why until it is dismissed or updated', () => {
  const { send, value, context, journal } = start()
  send(saved(), { type: 'edit.refused', message: 'It throws while it is loaded.', needsUpdate: false })
  expect([value(), context().message]).toEqual(['refused', 'It throws while it is loaded.'])
  send({ type: 'edit.dismissed' })
  expect(value()).toBe('idle')
  send(saved(), { type: 'edit.refused', message: 'It throws while it is loaded.', needsUpdate: false })
  send({ type: 'update.requested' })
  expect([value(), journal.at(-2)]).toEqual(['idle', 'requestUpdate'])
})
