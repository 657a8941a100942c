// One console: files that replace each other, playback, notes that would be lost, and a recording that is saved.
import { expect, test } from 'vitest'
import { createActor, type EventObject, fromCallback, type NonReducibleUnknown } from 'xstate'
import {
  type ConsoleViewEvent,
  consoleViewMachine,
  type LeaveEvent,
  type NotesEvent,
  type OpenFileEvent,
  type PlayEvent,
  type SaveEvent,
  type ShowFileEvent,
} from '../../src/machines/console/console-view.ts'

function start() {
  const journal: string[] = []
  const running = new Map<string, (event: ConsoleViewEvent) => void>()
  const port = <Sends extends ConsoleViewEvent, Input = NonReducibleUnknown>(name: string) =>
    fromCallback<EventObject, Input, Sends>(({ input, sendBack }) => {
      const id = [name, ...Object.values((input ?? {}) as object)].join(' ')
      journal.push(id)
      running.set(name, event => sendBack(event as Sends))
      return () => {
        journal.push(`ends ${id}`)
        running.delete(name)
      }
    })
  const machine = consoleViewMachine.provide({
    actors: {
      openFile: port<OpenFileEvent, { file: number; isPlaced: boolean }>('open'),
      showFile: port<ShowFileEvent, { file: number; isPlaced: boolean }>('show'),
      playTrace: port<PlayEvent, { speed: number }>('play'),
      saveNotes: port<NotesEvent>('notes'),
      leaveTrace: port<LeaveEvent>('leave'),
      saveRecording: port<SaveEvent>('save'),
    },
  })
  const actor = createActor(machine).start()
  return {
    actor,
    send: (event: ConsoleViewEvent) => actor.send(event),
    /** What a running port reports. */
    report: (name: string, event: ConsoleViewEvent) => running.get(name)?.(event),
    value: () => actor.getSnapshot().value,
    context: () => actor.getSnapshot().context,
    /** What the ports did since the last call. */
    journal: () => journal.splice(0),
  }
}

const request = (file: number, isPlaced = false): ConsoleViewEvent => ({
  type: 'file.requested',
  file,
  isPlaced,
})

test('a file replaces the shown one once it has something to show', () => {
  const { send, report, value, journal } = start()
  send(request(0, true))
  expect([value().opening, value().shown, journal()]).toEqual(['reading', 'recording', ['open 0 true']])
  report('open', { type: 'file.opened' })
  expect([value().opening, value().shown]).toEqual(['idle', { file: 'partial' }])
  expect(journal()).toEqual(['ends open 0 true', 'show 0 true'])
  report('show', { type: 'file.read' })
  expect(value().shown).toEqual({ file: 'whole' })
  send(request(1))
  expect([value().shown, journal()]).toEqual([{ file: 'whole' }, ['open 1 false']])
  report('open', { type: 'file.opened' })
  expect([value().shown, journal()]).toEqual([
    { file: 'partial' },
    ['ends show 0 true', 'ends open 1 false', 'show 1 false'],
  ])
})

test('a newer request ends the reading of an older file', () => {
  const { send, report, context, journal } = start()
  send(request(0))
  send(request(1))
  expect(journal()).toEqual(['open 0 false', 'ends open 0 false', 'open 1 false'])
  report('open', { type: 'file.opened' })
  expect(context().openFile).toEqual({ file: 1, isPlaced: false })
})

test('a refused or canceled file changes nothing else', () => {
  const { send, report, value, context, journal } = start()
  send(request(0))
  report('open', { type: 'file.opened' })
  send(request(1))
  report('open', { type: 'file.refused', message: 'Not a trace.' })
  expect([value().opening, context().refusal, context().openFile?.file]).toEqual([
    'refused',
    'Not a trace.',
    0,
  ])
  send({ type: 'refusal.dismissed' })
  expect(value().opening).toBe('idle')
  journal()
  send(request(2))
  send({ type: 'file.canceled' })
  expect([value().opening, value().shown, journal()]).toEqual([
    'idle',
    { file: 'partial' },
    ['open 2 false', 'ends open 2 false'],
  ])
})

test('closing ends the shown file, one that is being opened, and playback', () => {
  const { send, report, value, journal } = start()
  send(request(0))
  report('open', { type: 'file.opened' })
  send({ type: 'playback.started' })
  send(request(1))
  journal()
  send({ type: 'file.closed' })
  expect(value()).toMatchObject({ opening: 'idle', shown: 'recording', playback: 'stopped' })
  expect(journal().toSorted()).toEqual(['ends open 1 false', 'ends play 1', 'ends show 0 false'])
})

test('playback restarts at another speed, and ends with its trace', () => {
  const { send, report, value, journal } = start()
  send({ type: 'speed.chosen', speed: 5 })
  send({ type: 'playback.started' })
  send({ type: 'speed.chosen', speed: 10 })
  expect([value().playback, journal()]).toEqual(['playing', ['play 5', 'ends play 5', 'play 10']])
  report('play', { type: 'playback.ended' })
  expect(value().playback).toBe('stopped')
  send({ type: 'playback.started' })
  send(request(0))
  expect(value().playback).toBe('playing')
  report('open', { type: 'file.opened' })
  expect(value().playback).toBe('stopped')
})

test('a trace without unsaved notes is left at once', () => {
  const { send, report, value, journal } = start()
  send({ type: 'leave.requested' })
  expect([value().leaving, journal()]).toEqual(['going', ['leave']])
  report('leave', { type: 'trace.left' })
  expect(value().leaving).toBe('idle')
})

test.each<[string, ConsoleViewEvent['type'][], string, string[]]>([
  ['leave', ['leave.confirmed'], 'going', ['leave']],
  ['stay', ['leave.declined'], 'idle', []],
  ['save and leave', ['leave.save', 'notes.saved'], 'going', ['notes', 'ends notes', 'leave']],
  ['save, which fails', ['leave.save', 'notes.failed'], 'idle', ['notes', 'ends notes']],
  ['save, but stay', ['leave.save', 'leave.declined', 'notes.saved'], 'idle', ['notes', 'ends notes']],
])('with unsaved notes the user decides: %s', (_, events, state, ports) => {
  const { send, report, value, journal } = start()
  send({ type: 'notes.changed', isUnsaved: true })
  send({ type: 'leave.requested' })
  expect(value().leaving).toBe('asking')
  for (const type of events) {
    const event = { type } as ConsoleViewEvent
    if (type.startsWith('notes.')) report('notes', event)
    else send(event)
  }
  expect([value().leaving, journal()]).toEqual([state, ports])
})

test('a recording that could not be saved can be saved again', () => {
  const { send, report, value, context } = start()
  send({ type: 'recording.save' })
  report('save', { type: 'recording.failed', message: 'The app does not respond.' })
  expect([value().saving, context().failure]).toEqual(['failed', 'The app does not respond.'])
  send({ type: 'recording.save' })
  report('save', { type: 'recording.saved' })
  expect(value().saving).toBe('idle')
  send({ type: 'recording.save' })
  report('save', { type: 'recording.failed', message: 'No.' })
  send({ type: 'failure.dismissed' })
  expect(value().saving).toBe('idle')
})
