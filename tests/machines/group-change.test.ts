// A change of a group of reports: what is checked before it is sent, and how it ends.
import { createActor, fromCallback, type EventObject, type NonReducibleUnknown } from 'xstate'
import { expect, test } from 'vitest'
import {
  type CompareEvent,
  type GroupChangeInput,
  groupChangeMachine,
  type SaveChangeEvent,
} from '../../src/machines/workbench/group-change.ts'

/** A change whose ports respond with these events, at once; `sent` lists the ports that ran. */
function run(input: GroupChangeInput, compared?: CompareEvent, saved?: SaveChangeEvent) {
  const sent: string[] = []
  const port = <E extends EventObject>(name: string, event: E | undefined) =>
    fromCallback<EventObject, NonReducibleUnknown, E>(({ sendBack }) => {
      sent.push(name)
      if (event) sendBack(event)
    })
  const compareNotes = port('compare', compared)
  const saveChange = port('save', saved)
  const actor = createActor(groupChangeMachine.provide({ actors: { compareNotes, saveChange } }), { input })
  actor.start()
  return { actor, sent, state: () => actor.getSnapshot().value }
}

test('a status is saved, shown until the groups are read again, and over', () => {
  const { actor, sent, state } = run({ field: 'ignored' }, undefined, { type: 'change.saved' })
  expect([state(), sent]).toEqual(['saved', ['save']])
  actor.send({ type: 'change.dismiss' })
  expect(state()).toBe('saved')
  actor.send({ type: 'groups.read' })
  expect(state()).toBe('done')
})

test('notes are compared first, and never replace those of another member', () => {
  const unchanged = run({ field: 'notes' }, { type: 'notes.unchanged' })
  expect([unchanged.state(), unchanged.sent]).toEqual(['saving', ['compare', 'save']])
  const changed = run({ field: 'notes' }, { type: 'change.conflicted' })
  expect([changed.state(), changed.sent]).toEqual(['conflicted', ['compare']])
  changed.actor.send({ type: 'groups.read' })
  expect(changed.state()).toBe('conflicted')
  changed.actor.send({ type: 'change.dismiss' })
  expect(changed.state()).toBe('done')
})

test('an invalid change is not sent', () => {
  const { sent, state } = run({ field: 'fixed', problem: 'Enter a version.' })
  expect([state(), sent]).toEqual(['invalid', []])
})

test('a refusal and a broken port are shown with their reason', () => {
  const refused = run({ field: 'open' }, undefined, { type: 'change.refused', message: 'No.' })
  const broken = run(
    { field: 'notes' },
    { type: 'port.broken', failure: { kind: 'bug', message: 'Unexpected.' } },
  )
  expect([refused.state(), refused.actor.getSnapshot().context.failure]).toEqual([
    'failed',
    { message: 'No.' },
  ])
  expect([broken.state(), broken.actor.getSnapshot().context.failure]).toEqual([
    'failed',
    { message: 'Unexpected.' },
  ])
  refused.actor.send({ type: 'change.dismiss' })
  expect(refused.state()).toBe('done')
})
