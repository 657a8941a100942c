// Background jobs of the workbench leave a recording that replays exactly, as the client does.
import { expect, test, vi } from 'vitest'
import type { AttachedRecording } from '../../src/services/recording/index.ts'
import type { ChartroomClient } from '../../src/public/index.ts'
import { readTrace, systems, verify } from '../../src/public/devtools/replay.ts'
import { startSurvey, type Survey } from '../../src/services/workbench/hosts/survey.ts'
import {
  createFileJob,
  type FileJob,
  fileJobState,
  createRowExport,
  type RowExport,
  createRowImport,
  type RowImport,
} from '../../src/services/workbench/jobs/index.ts'
import {
  createFunctionCall,
  type FunctionCall,
  functionCallState,
} from '../../src/services/workbench/jobs/create-function-call.ts'
import {
  createRowComparison,
  type RowComparison,
} from '../../src/services/workbench/jobs/create-row-comparison.ts'
import { totalOrder } from '../../src/services/workbench/table/cursor.ts'
import { createRowReader, ALL_RIGHTS } from '../../src/services/workbench/table/index.ts'
import { ID_COLUMN } from '../harness/column.ts'

type Fetch = ChartroomClient['fetch']

/** Gives its responses one after the other. */
function answers(...list: readonly (() => Response)[]): Fetch {
  const left = [...list]
  return () => Promise.resolve((left.shift() ?? (() => new Response(null, { status: 500 })))())
}

const created = () => new Response(null, { status: 201 })
const refused = () =>
  Response.json({ code: '23502', message: 'null value in column "name"' }, { status: 400 })

/** The outcome of replaying its recording, once it is over. */
async function replayed(job: RowImport | RowExport | RowComparison | FunctionCall | FileJob) {
  await vi.waitFor(() => expect(job.actor.getSnapshot().status).toBe('done'))
  return verified(job.recording)
}

async function verified(recording: AttachedRecording) {
  const trace = await traceOf(recording)
  return { system: trace.header.system, outcome: verify(trace, systems).outcome }
}

async function traceOf(recording: AttachedRecording) {
  const read = await readTrace(new Uint8Array(await (await recording.download()).arrayBuffer()))
  if (read.kind === 'unusable') throw new Error(read.message)
  return read.trace
}

test('an import', async () => {
  const job = createRowImport({
    fetch: answers(refused, refused, created),
    schema: 'public',
    table: 'vessels',
    columns: ['name'],
    rows: ['{}', '{"name":"Gull"}'],
    isWhole: false,
    onDuplicate: 'refuse',
    keys: [],
  })
  expect(await replayed(job)).toEqual({ system: 'chartroom/workbench/rowImport', outcome: 'exact' })
  const { written, refused: bad } = job.actor.getSnapshot().context
  expect([written, bad.map(({ row }) => row)]).toEqual([1, [0]])
})

const FORBIDDEN = { code: '42501', message: 'new row violates row-level security policy' }
const COMMON = {
  schema: 'public',
  table: 'vessels',
  columns: ['name'],
  rows: ['{"name":"Gull"}', '{"name":"Tern"}'],
  isWhole: false,
  keys: ['id'],
  returning: 'id,name',
} as const

/** Records requests, and gives its responses one after the other. */
function recorded(...list: readonly (() => Response)[]) {
  const sent: string[] = []
  const next = answers(...list)
  const fetch: Fetch = (path, init, options) => {
    const { searchParams } = new URL(path, 'http://host.test')
    sent.push(`${searchParams.get('select') ?? 'nothing'} ${new Headers(init?.headers).get('prefer')}`)
    return next(path, init, options)
  }
  return { fetch, sent }
}

test('an import collects the rows that it added, outside its recording', async () => {
  const { fetch, sent } = recorded(() => Response.json([{ id: 4, name: 'Gull' }], { status: 201 }))
  const job = createRowImport({ ...COMMON, fetch, onDuplicate: 'skip' })
  expect(await replayed(job)).toEqual({ system: 'chartroom/workbench/rowImport', outcome: 'exact' })
  expect(sent).toEqual([
    'id,name return=representation,missing=default,count=exact,resolution=ignore-duplicates',
  ])
  expect(job.addedRows()).toEqual([{ id: 4, name: 'Gull' }])
  const { written, skipped, unreturned } = job.actor.getSnapshot().context
  expect([written, skipped, unreturned]).toEqual([1, 1, 0])
  expect(JSON.stringify(await traceOf(job.recording))).not.toContain('Gull')
})

// Messages of PostgreSQL: it quotes values as it stores them, and a trigger may change them.
test.each([
  'Key (name, mmsi)=(Marlow, 211000001) already exists.',
  'invalid input syntax for type json: Token "Marlow" is invalid.',
  'MARLOW is not welcome here',
])('the recording of an import has no message of the server: %s', async details => {
  const problem = { code: 'P0001', message: 'refused', details }
  const job = createRowImport({
    ...COMMON,
    rows: ['{"name":"  marlow","mmsi":"211 000 001"}'],
    fetch: answers(() => Response.json(problem, { status: 400 })),
    onDuplicate: 'refuse',
  })
  expect(await replayed(job)).toEqual({ system: 'chartroom/workbench/rowImport', outcome: 'exact' })
  const [row] = job.actor.getSnapshot().context.refused
  expect(row?.failure.message).toContain(details)
  expect(JSON.stringify(await traceOf(job.recording))).not.toMatch(/marlow|211000001/i)
})

test('an import by a user who may not read the rows is sent again without asking for them', async () => {
  const forbidden = () => Response.json(FORBIDDEN, { status: 403 })
  const { fetch, sent } = recorded(forbidden, created)
  const job = createRowImport({ ...COMMON, fetch, onDuplicate: 'refuse' })
  await vi.waitFor(() => expect(job.actor.getSnapshot().value).toBe('done'))
  expect(sent).toEqual([
    'id,name return=representation,missing=default,count=exact',
    'nothing return=minimal,missing=default,count=exact',
  ])
  const { written, unreturned } = job.actor.getSnapshot().context
  expect([job.addedRows(), written, unreturned]).toEqual([[], 2, 2])
})

const INFO = { name: 'vessels', isKnown: true, rights: ALL_RIGHTS, columns: [ID_COLUMN] }
const QUERY = { schema: 'public', table: 'vessels', columns: [], filters: [], sorts: totalOrder([], INFO) }
const ids = (...all: readonly number[]) => all.map(id => ({ id }))
const page = (rows: readonly object[], total: number) => () =>
  Response.json(rows, { headers: { 'content-range': `*/${total}` } })
const counted = (total: number) => () => new Response(null, { headers: { 'content-range': `0-0/${total}` } })

test('an export', async () => {
  const taken: unknown[] = []
  const job = createRowExport({
    fetch: answers(page(ids(1, 2), 3), page(ids(3), 3), counted(3)),
    reader: createRowReader({ query: QUERY, info: INFO }),
    take: rows => void taken.push(...rows),
    expected: 2,
  })
  expect(await replayed(job)).toEqual({ system: 'chartroom/workbench/rowExport', outcome: 'exact' })
  expect(JSON.stringify(taken)).toBe(JSON.stringify(ids(1, 2, 3)))
  expect(job.actor.getSnapshot().context).toMatchObject({ read: 3, total: 3 })
})

test('a comparison of rows', async () => {
  const taken: unknown[] = []
  const job = createRowComparison({
    accounts: [1, 2].map(count => ({
      fetch: answers(page(ids(1, 2).slice(0, count), 2), page(ids(2), 2), counted(2)),
      reader: createRowReader({ query: QUERY, info: INFO }),
      take: rows => void taken.push(...rows),
    })),
    rechecks: { start: () => undefined, next: () => undefined, left: () => 0 },
  })
  expect(await replayed(job)).toEqual({ system: 'chartroom/workbench/rowComparison', outcome: 'exact' })
  expect(JSON.stringify(taken)).toBe(JSON.stringify(ids(1, 1, 2, 2)))
})

test('a function call, which lasts no longer than the request', async () => {
  const open = new Set<string>()
  const job = createFunctionCall({
    method: 'POST',
    name: 'tide',
    as: 'user',
    call: async (report, signal) => {
      open.add('call')
      signal.addEventListener('abort', () => open.delete('call'))
      report({ type: 'call.requested', request: 'r7' })
      await Promise.resolve()
      report({ type: 'response.started', status: 200, kind: 'json' })
      report({ type: 'response.ended', size: 2, duration: 5 })
    },
    measure: report => {
      open.add('network')
      const timer = setTimeout(() => report({ waiting: 3, download: 2, transferred: 0, protocol: 'h2' }))
      return () => {
        clearTimeout(timer)
        open.delete('network')
      }
    },
  })
  await vi.waitFor(() => expect(open.size).toBe(0))
  expect(await replayed(job)).toEqual({ system: 'chartroom/workbench/functionCall', outcome: 'exact' })
  expect(functionCallState(job.actor.getSnapshot())).toMatchObject({
    phase: 'done',
    request: 'r7',
    status: 200,
    size: 2,
  })
})

test('file operations, with their conflicts', async () => {
  const batches: unknown[] = []
  const job = createFileJob({
    kind: 'move',
    bucket: 'charts',
    size: 2,
    count: () => Promise.resolve({ total: 3, bytes: 30 }),
    processBatch: tasks => {
      batches.push(tasks.map(({ file, onConflict }) => [file, onConflict]))
      const conflicts = tasks.some(({ file, onConflict }) => file === 1 && onConflict === 'ask')
        ? [{ file: 1, path: 'b', target: 'to/b' }]
        : []
      return Promise.resolve({ refused: [], delayed: [], conflicts })
    },
  })
  await vi.waitFor(() => expect(fileJobState(job.actor.getSnapshot()).phase).toBe('ready'))
  job.actor.send({ type: 'job.start' })
  await vi.waitFor(() => expect(fileJobState(job.actor.getSnapshot()).phase).toBe('asking'))
  job.actor.send({ type: 'job.answer', answer: 'keepBoth', all: false })
  expect(await replayed(job)).toEqual({ system: 'chartroom/workbench/fileJob', outcome: 'exact' })
  expect(batches).toEqual([
    [
      [0, 'ask'],
      [1, 'ask'],
    ],
    [[2, 'ask']],
    [[1, 'keepBoth']],
  ])
})

class SilentSocket extends EventTarget {
  close(): void {}
}

test('a host check', async () => {
  const survey: Survey = startSurvey(
    { url: 'http://host.test', key: 'k' },
    {
      fetch: () => new Promise(() => undefined),
      WebSocket: SilentSocket as never,
      deadline: 20,
    },
  )
  await vi.waitFor(() => expect(survey.actor.getSnapshot().value).toBe('timedOut'))
  expect(await verified(survey.recording)).toEqual({
    system: 'chartroom/workbench/survey',
    outcome: 'exact',
  })
  survey.actor.stop()
})
