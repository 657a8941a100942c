// When the state of a followed project is read, and what a reset and a new user wait for.
import { createActor, type EventObject, fromCallback, SimulatedClock } from 'xstate'
import { expect, test } from 'vitest'
import {
  projectStatusMachine,
  type StatusEvent,
  type StatusInput,
} from '../../src/machines/workbench/project-status.ts'

function started() {
  const reads: (number | undefined)[] = []
  let ended = 0
  let respond: (event: StatusEvent) => void = () => undefined
  const clock = new SimulatedClock()
  const actor = createActor(
    projectStatusMachine.provide({
      actors: {
        readStatus: fromCallback<EventObject, StatusInput, StatusEvent>(({ input, sendBack }) => {
          reads.push(input.since)
          respond = sendBack
          return () => {
            ended += 1
          }
        }),
      },
    }),
    { clock },
  )
  actor.start()
  return { actor, clock, reads, respond: (event: StatusEvent) => respond(event), ended: () => ended }
}

test('reads only while it is watched, then waits for each next revision', () => {
  const { actor, reads, respond, ended } = started()
  expect(reads).toEqual([])
  actor.send({ type: 'project.watched' })
  respond({ type: 'status.received', revision: 4 })
  respond({ type: 'status.received', revision: 5 })
  expect(reads).toEqual([undefined, 4, 5])
  actor.send({ type: 'project.unwatched' })
  expect(ended()).toBe(3)
  actor.send({ type: 'project.watched' })
  expect(reads).toEqual([undefined, 4, 5, 5])
})

test('a backend that does not respond is asked again later, without the revision that it may reuse', () => {
  const { actor, clock, reads, respond } = started()
  actor.send({ type: 'project.watched' })
  respond({ type: 'status.received', revision: 4 })
  respond({ type: 'status.failed' })
  expect(actor.getSnapshot().matches({ status: 'lost' })).toBe(true)
  clock.increment(1_499)
  expect(reads).toEqual([undefined, 4])
  clock.increment(1)
  expect(reads).toEqual([undefined, 4, undefined])
})

test('a hidden page waits for nothing', () => {
  const { actor, clock, reads, respond, ended } = started()
  actor.send({ type: 'project.watched' })
  respond({ type: 'status.received', revision: 4 })
  actor.send({ type: 'page.hidden' })
  expect(ended()).toBe(2)
  clock.increment(60_000)
  expect(reads).toEqual([undefined, 4])
  actor.send({ type: 'page.visible' })
  expect(reads).toEqual([undefined, 4, 4])
})

test('a backend without a project is not asked again', () => {
  const { actor, clock, reads, respond } = started()
  actor.send({ type: 'project.watched' })
  respond({ type: 'status.absent' })
  clock.increment(60_000)
  expect(reads).toEqual([undefined])
})
