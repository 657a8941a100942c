// A row import: rejected rows are found, rows with unknown results are asked about, and nothing is sent
// twice.
import { createActor, fromCallback } from 'xstate'
import { expect, test } from 'vitest'
import type { Failure } from '../../src/machines/index.ts'
import {
  rowImportMachine,
  type BatchEvent,
  type BatchInput,
  type RowImportInput,
  type RowRange,
} from '../../src/machines/workbench/row-import.ts'
import { batchesOf } from '../../src/services/workbench/jobs/create-row-import.ts'
import { refusalOf } from '../../src/services/workbench/jobs/row-requests.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

const failure = (message = 'no'): Failure => ({ kind: 'validation', message })
const written = ([from, to]: RowRange): BatchEvent => ({
  type: 'batch.written',
  written: to - from,
  skipped: 0,
  unreturned: 0,
})

/** Answers each batch at once, by its rows; `undefined` leaves it unanswered. */
const start = (
  input: Partial<RowImportInput>,
  answer: (range: RowRange, sent: number) => BatchEvent | undefined,
) => {
  const sent: RowRange[] = []
  const asked: boolean[] = []
  let reply: ((event: BatchEvent) => void) | undefined
  const sendBatch = fromCallback<{ type: string }, BatchInput, BatchEvent>(
    ({ input: { range, returning }, sendBack }) => {
      sent.push(range)
      asked.push(returning)
      reply = sendBack
      const event = answer(range, sent.length)
      if (event) sendBack(event)
    },
  )
  const clock = createVirtualClock()
  const actor = createActor(rowImportMachine.provide({ actors: { sendBatch } }), {
    clock,
    input: { batches: [[0, 8]], repeatable: false, whole: false, returning: true, seed: 1, ...input },
  })
  actor.start()
  const facts = () => {
    const { value, context } = actor.getSnapshot()
    return {
      state: typeof value === 'string' ? value : 'sending',
      written: context.written,
      refused: context.refused.map(({ row }) => row),
    }
  }
  return { actor, sent, asked, clock, facts, reply: (event: BatchEvent) => reply?.(event) }
}

test('a rejected batch is halved until its bad rows are known; the others are inserted once', () => {
  const bad = new Set([2, 5])
  const { facts, sent } = start({}, range => {
    const rows = Array.from({ length: range[1] - range[0] }, (_, at) => range[0] + at)
    return rows.some(row => bad.has(row))
      ? { type: 'batch.refused', failure: failure(`row`), hopeless: false, forbidden: false }
      : written(range)
  })
  expect(facts()).toEqual({ state: 'done', written: 6, refused: [2, 5] })
  expect(sent).toEqual([
    [0, 8],
    [0, 4],
    [0, 2],
    [2, 4],
    [2, 3],
    [3, 4],
    [4, 8],
    [4, 6],
    [4, 5],
    [5, 6],
    [6, 8],
  ])
})

test('all or nothing: a rejection ends it', () => {
  const { facts, sent } = start({ whole: true }, () => ({
    type: 'batch.refused',
    failure: failure(),
    hopeless: false,
    forbidden: false,
  }))
  expect([facts(), sent.length]).toEqual([{ state: 'refused', written: 0, refused: [] }, 1])
})

test('no response: the user decides whether the rows are sent again', () => {
  const lost: BatchEvent = { type: 'batch.lost', failure: failure('gone') }
  const again = start(
    {
      batches: [
        [0, 4],
        [4, 8],
      ],
    },
    (range, n) => (n === 1 ? lost : written(range)),
  )
  expect(again.facts().state).toBe('unconfirmed')
  again.actor.send({ type: 'import.retry' })
  expect([again.facts(), again.sent]).toEqual([
    { state: 'done', written: 8, refused: [] },
    [
      [0, 4],
      [0, 4],
      [4, 8],
    ],
  ])
  const left = start(
    {
      batches: [
        [0, 4],
        [4, 8],
      ],
    },
    (range, n) => (n === 1 ? lost : written(range)),
  )
  left.actor.send({ type: 'import.skip' })
  expect([left.facts().written, left.actor.getSnapshot().context.unknown]).toEqual([4, [[0, 4]]])
})

test('no response to repeatable rows: they are sent again automatically', () => {
  const run = start({ repeatable: true }, (range, n) =>
    n === 1 ? { type: 'batch.lost', failure: failure() } : written(range),
  )
  expect(run.facts().state).toBe('backingOff')
  run.clock.advance(1_000)
  expect(run.facts()).toEqual({ state: 'done', written: 8, refused: [] })
})

test('a pause and a cancel wait for the running batch', () => {
  const run = start(
    {
      batches: [
        [0, 4],
        [4, 8],
      ],
    },
    () => undefined,
  )
  run.actor.send({ type: 'import.pause' })
  expect(run.facts().state).toBe('sending')
  run.reply(written([0, 4]))
  expect(run.facts()).toEqual({ state: 'paused', written: 4, refused: [] })
  run.actor.send({ type: 'import.resume' })
  run.actor.send({ type: 'import.cancel' })
  run.reply(written([4, 8]))
  expect(run.facts()).toEqual({ state: 'done', written: 8, refused: [] })
})

test.each<[string, BatchEvent, readonly [end: string, unknown: number]]>([
  ['deferred', { type: 'batch.delayed', failure: failure() }, ['canceled', 0]],
  [
    'rejected for good',
    { type: 'batch.refused', failure: failure(), hopeless: true, forbidden: false },
    ['canceled', 0],
  ],
  ['lost', { type: 'batch.lost', failure: failure() }, ['canceled', 1]],
])('a requested cancel takes effect at once when the running batch is %s', (_, event, end) => {
  const run = start({}, () => undefined)
  run.actor.send({ type: 'import.cancel' })
  run.reply(event)
  const { value, context } = run.actor.getSnapshot()
  expect([value, context.unknown.length]).toEqual(end)
})

test('a requested pause takes effect at once when the running batch is deferred', () => {
  const run = start({}, () => undefined)
  run.actor.send({ type: 'import.pause' })
  run.reply({ type: 'batch.delayed', failure: failure() })
  expect([run.facts().state, run.clock.pending()]).toEqual(['paused', 0])
})

test('the same error for all rows: stops after ten, and continues on request', () => {
  const rows = Array.from({ length: 30 }, (_, at): RowRange => [at, at + 1])
  const run = start({ batches: rows }, () => ({
    type: 'batch.refused',
    failure: failure(),
    hopeless: false,
    forbidden: false,
  }))
  expect([run.facts().state, run.sent.length]).toEqual(['paused', 10])
  run.actor.send({ type: 'import.resume' })
  expect([run.facts().state, run.sent.length]).toEqual(['done', 30])
})

test('batches are bounded by rows and by size, and a long row is sent alone', () => {
  expect(batchesOf(Array.from({ length: 1_001 }, () => 'x'))).toEqual([
    [0, 500],
    [500, 1_000],
    [1_000, 1_001],
  ])
  const long = 'x'.repeat(1_500_000)
  expect(batchesOf(['a', long, 'b'])).toEqual([
    [0, 1],
    [1, 2],
    [2, 3],
  ])
})

test.each([
  ['a broken connection', new TypeError('Failed to fetch'), 0, 'lost'],
  ['a gateway timeout', { message: 'Gateway' }, 504, 'lost'],
  ['a busy server', { message: 'Too many' }, 429, 'delayed'],
  [
    'an existing row',
    { code: '23505', message: 'duplicate key', details: 'Key (name)=(Gull) already exists.' },
    409,
    'refused',
  ],
  ['a statement timeout', { code: '57014', message: 'canceling statement' }, 500, 'refused'],
  [
    'a session that ended in between',
    { kind: 'aborted', code: 'signed_out', message: 'The session ended.' },
    0,
    'lost',
  ],
  ['a missing session', { kind: 'auth', code: 'not_signed_in', message: 'Sign in first.' }, 0, 'hopeless'],
  ['a missing column', { code: 'PGRST204', message: 'Could not find the column' }, 400, 'hopeless'],
  ['a missing privilege', { code: '42501', message: 'permission denied for table x' }, 403, 'hopeless'],
  ['a policy', { code: '42501', message: 'new row violates row-level security policy' }, 403, 'refused'],
])('the fate of rows after %s', async (_name, error, status, fate) => {
  expect((await refusalOf(error, status)).fate).toBe(fate)
})

test("a rejection contains the database's message", async () => {
  const error = { code: '23505', message: 'duplicate key', details: 'Key (name)=(Gull) already exists.' }
  expect((await refusalOf(error, 409)).failure.message).toBe(
    'This value already exists. Key (name)=(Gull) already exists.',
  )
})

test('the message and the detail of a rejection are sentences', async () => {
  const error = {
    code: '23502',
    message: 'null value in column "name" of relation "t" violates not-null constraint',
    details: 'Failing row contains (1, null).',
  }
  expect((await refusalOf(error, 400)).failure.message).toBe(
    `${error.message}. Failing row contains (1, null).`,
  )
})

test('rows that the user may not read are sent again without asking for them, and so are the next batches', () => {
  const { facts, sent, asked } = start(
    {
      batches: [
        [0, 2],
        [2, 4],
      ],
    },
    (range, n) =>
      n === 1
        ? { type: 'batch.refused', failure: failure(), hopeless: true, forbidden: true }
        : written(range),
  )
  expect([sent, asked]).toEqual([
    [
      [0, 2],
      [0, 2],
      [2, 4],
    ],
    [true, false, false],
  ])
  expect(facts()).toEqual({ state: 'done', written: 4, refused: [] })
})

test('a batch that is refused without asking for its rows, too, tells nothing about the next one', () => {
  const { facts, asked } = start(
    {
      batches: [
        [0, 1],
        [1, 2],
      ],
    },
    (range, n) =>
      n === 1
        ? { type: 'batch.refused', failure: failure(), hopeless: true, forbidden: true }
        : n === 2
          ? { type: 'batch.refused', failure: failure(), hopeless: false, forbidden: false }
          : written(range),
  )
  expect(asked).toEqual([true, false, true])
  expect(facts()).toEqual({ state: 'done', written: 1, refused: [0] })
})
