// When drafts are stored: at once if one could be lost, and once for many that are gone.
import { expect, test } from 'vitest'
import { createActor, fromCallback, type EventObject, type NonReducibleUnknown } from 'xstate'
import { draftSavingMachine, type SaveDraftsEvent } from '../../src/machines/workbench/draft-saving.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

function start() {
  const clock = createVirtualClock()
  const saved: number[] = []
  const state = { drafts: 0, isFull: false }
  const saveDrafts = fromCallback<EventObject, NonReducibleUnknown, SaveDraftsEvent>(({ sendBack }) => {
    if (!state.isFull) saved.push(state.drafts)
    sendBack(state.isFull ? { type: 'drafts.full' } : { type: 'drafts.saved', count: state.drafts })
  })
  const actor = createActor(draftSavingMachine.provide({ actors: { saveDrafts } }), { clock }).start()
  const change = (count: number) => {
    state.drafts = count
    actor.send({ type: 'drafts.changed', count })
  }
  return { clock, saved, state, change, value: () => actor.getSnapshot().value }
}

test('a new draft is stored at once', () => {
  const { saved, change } = start()
  change(1)
  change(2)
  expect(saved).toEqual([1, 2])
})

test('drafts that are written one after the other are stored once, and the last at once', () => {
  const { clock, saved, change } = start()
  for (const count of [5, 4, 3]) change(count)
  expect(saved).toEqual([5])
  clock.advance(300)
  expect(saved).toEqual([5, 3])
  change(2)
  change(0)
  expect(saved).toEqual([5, 3, 0])
  clock.advance(10_000)
  expect(saved).toEqual([5, 3, 0])
})

test('without room, the next change tries again', () => {
  const { clock, saved, state, change, value } = start()
  state.isFull = true
  change(2)
  expect(value()).toBe('full')
  state.isFull = false
  change(3)
  expect([value(), saved]).toEqual(['stored', [3]])
  expect(clock.pending()).toBe(0)
})
