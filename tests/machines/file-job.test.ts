// Jobs over many files: batches, conflicts, deferred files, stop and retry.
import { createActor, fromCallback, type EventObject, type NonReducibleUnknown } from 'xstate'
import { expect, test } from 'vitest'
import {
  type BatchDone,
  type CountEvent,
  type FileBatchEvent,
  fileJobMachine,
  type FileTask,
} from '../../src/machines/workbench/file-job.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

type Answer = Partial<BatchDone> | undefined

const network = { kind: 'network', message: 'no answer' } as const
const refuse = (...files: readonly number[]) => files.map(file => ({ file, path: `f${file}`, message: 'no' }))
const take = (...files: readonly number[]) =>
  files.map(file => ({ file, path: `f${file}`, target: `to/f${file}` }))

/** A job over `total` files; `undefined` leaves a batch running. */
function start(total: number, answer: (tasks: readonly FileTask[], batch: number) => Answer) {
  const batches: (readonly FileTask[])[] = []
  let reply: (answer: Partial<BatchDone>) => void = () => undefined
  const countFiles = fromCallback<EventObject, NonReducibleUnknown, CountEvent>(({ sendBack }) =>
    sendBack({ type: 'files.counted', total, bytes: 10 * total }),
  )
  const processBatch = fromCallback<EventObject, { readonly tasks: readonly FileTask[] }, FileBatchEvent>(
    ({ input: { tasks }, sendBack }) => {
      batches.push(tasks)
      reply = given =>
        sendBack({
          type: 'batch.done',
          refused: [],
          conflicts: [],
          delayed: [],
          ...given,
        })
      const given = answer(tasks, batches.length)
      if (given) reply(given)
    },
  )
  const clock = createVirtualClock()
  const actor = createActor(fileJobMachine.provide({ actors: { countFiles, processBatch } }), {
    clock,
    input: { kind: 'move', bucket: 'charts', size: 2, seed: 1 },
  })
  actor.start()
  actor.send({ type: 'job.start' })
  const facts = () => {
    const { value, context } = actor.getSnapshot()
    const { done, skipped, refused, conflicts } = context
    return { value, done, skipped, refused: refused.length, conflicts: conflicts.length }
  }
  const sent = () => batches.map(tasks => tasks.map(({ file, onConflict }) => `${file} ${onConflict}`))
  return { actor, clock, facts, sent, batches, reply: (given: Partial<BatchDone> = {}) => reply(given) }
}

const nothing = { done: 0, skipped: 0, refused: 0, conflicts: 0 }

test('everything is done batch by batch', () => {
  const { facts, sent } = start(5, () => ({}))
  expect(facts()).toEqual({ ...nothing, value: 'done', done: 5 })
  expect(sent()).toEqual([['0 ask', '1 ask'], ['2 ask', '3 ask'], ['4 ask']])
})

test('conflicts are asked about when the rest is done, one by one or all at once', () => {
  const { actor, facts, sent } = start(4, tasks => ({
    conflicts: take(...tasks.filter(({ onConflict }) => onConflict === 'ask').map(({ file }) => file)),
  }))
  expect(facts()).toEqual({ ...nothing, value: 'asking', conflicts: 4 })
  actor.send({ type: 'job.answer', answer: 'skip', all: false })
  actor.send({ type: 'job.answer', answer: 'keepBoth', all: false })
  expect(facts()).toEqual({ ...nothing, value: 'asking', done: 1, skipped: 1, conflicts: 2 })
  actor.send({ type: 'job.answer', answer: 'replace', all: true })
  expect(facts()).toEqual({ ...nothing, value: 'done', done: 3, skipped: 1 })
  expect(sent().slice(2)).toEqual([['1 keepBoth'], ['2 replace', '3 replace']])
})

test('a stop ends the job after the running batch and reports what is left; the job can continue', () => {
  const { actor, facts, reply } = start(5, (_, batch) => (batch === 2 ? undefined : {}))
  actor.send({ type: 'job.cancel' })
  expect(facts()).toEqual({ ...nothing, value: { running: 'canceling' }, done: 2 })
  reply()
  expect(facts()).toEqual({ ...nothing, value: 'ended', done: 4 })
  actor.send({ type: 'job.retry' })
  expect(facts()).toEqual({ ...nothing, value: 'done', done: 5 })
})

test('deferred files go first after a pause, marked as possibly done', () => {
  const { clock, facts, batches } = start(3, (_, batch) =>
    batch === 1 ? { delayed: refuse(1), failure: network } : {},
  )
  expect(facts()).toEqual({ ...nothing, value: 'backingOff', done: 1 })
  clock.advance(1_000)
  expect(facts()).toEqual({ ...nothing, value: 'done', done: 3 })
  expect(batches[1]).toEqual([{ file: 1, onConflict: 'ask', isRepeat: true }])
})

test("a file that is deferred nine times in a row is rejected, and retried on the user's request", () => {
  let isDown = true
  const { actor, clock, facts, batches } = start(2, () =>
    isDown ? { delayed: refuse(0, 1), failure: network } : {},
  )
  clock.advance(600_000)
  expect([facts(), batches.length]).toEqual([{ ...nothing, value: 'ended', refused: 2 }, 9])
  isDown = false
  actor.send({ type: 'job.retry' })
  expect(facts()).toEqual({ ...nothing, value: 'done', done: 2 })
})

test('a stop during a pause ends the job at once; deferred files are left', () => {
  const { actor, clock, facts } = start(2, () => ({ delayed: refuse(0, 1), failure: network }))
  actor.send({ type: 'job.cancel' })
  expect([facts(), clock.pending()]).toEqual([{ ...nothing, value: 'ended' }, 0])
})
