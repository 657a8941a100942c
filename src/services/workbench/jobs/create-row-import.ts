// Imports rows: the machine with its port, which sends batches as REST requests; recorded separately.
import type { SnapshotFrom } from 'xstate'
import {
  type BatchEvent,
  type RowImportContext,
  rowImportMachine,
  type RowRange,
} from '../../../machines/index.ts'
import type { ChartroomClient } from '../../client/index.ts'
import { effect } from '../../runtime/index.ts'
import { sendRest } from '../rest/rest.ts'
import { refusalOf, type RestRefusal } from './row-requests.ts'
import { type Job, retrySeed, runJob } from './run-job.ts'

/** What to do with a row whose key already exists. */
export type OnDuplicate = 'refuse' | 'skip' | 'update'

export interface RowImportOptions {
  readonly fetch: ChartroomClient['fetch']
  readonly schema: string
  readonly table: string
  /** Columns with values. */
  readonly columns: readonly string[]
  /** Each row as JSON. */
  readonly rows: readonly string[]
  /** Sends one request that succeeds or fails as a whole. */
  readonly whole: boolean
  readonly onDuplicate: OnDuplicate
  /** Columns that identify duplicates; required unless duplicates are refused. */
  readonly keys: readonly string[]
}

export type RowImportPhase =
  'deciding' | 'sending' | 'backingOff' | 'unconfirmed' | 'paused' | 'refused' | 'canceled' | 'done'

/** State of an import. */
export interface RowImportState extends Omit<RowImportContext, 'seed' | 'batches' | 'queue'> {
  readonly phase: RowImportPhase
  /** The rows that are being sent or are waiting to be sent. */
  readonly range: RowRange | undefined
}

export interface RowImport extends Job<typeof rowImportMachine> {
  /** The id of the last request. */
  readonly requestId: () => string | undefined
}

export const rowImportState = ({
  value,
  context: { seed: _seed, batches: _batches, queue, ...rest },
}: SnapshotFrom<typeof rowImportMachine>): RowImportState => ({ ...rest, phase: value, range: queue[0] })

/** Maximum size of one request. */
const [MOST_ROWS, MOST_CHARACTERS] = [500, 1_000_000]

/** Splits rows into batches, with fewer rows if they are long. */
export function batchesOf(rows: readonly string[]): readonly RowRange[] {
  const batches: RowRange[] = []
  let from = 0
  let size = 0
  rows.forEach((row, at) => {
    if (at > from && (at - from >= MOST_ROWS || size + row.length > MOST_CHARACTERS)) {
      batches.push([from, at])
      from = at
      size = 0
    }
    size += row.length
  })
  return rows.length === 0 ? [] : [...batches, [from, rows.length]]
}

const quoted = (name: string): string => `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

/** Path and headers of the requests, without key and token. */
function importRequest({ schema, table, columns, onDuplicate, keys }: RowImportOptions) {
  const query = new URLSearchParams([
    ['columns', columns.map(quoted).join(',')],
    ...(onDuplicate === 'refuse' ? [] : [['on_conflict', keys.map(quoted).join(',')]]),
  ])
  const resolution = {
    refuse: [],
    skip: ['resolution=ignore-duplicates'],
    update: ['resolution=merge-duplicates'],
  }
  const prefer = ['return=minimal', 'missing=default', 'count=exact', ...resolution[onDuplicate]]
  return {
    path: `/rest/v1/${encodeURIComponent(table)}?${query}`,
    headers: {
      'content-type': 'application/json',
      prefer: prefer.join(','),
      ...(schema === 'public' ? {} : { 'content-profile': schema }),
    },
  }
}

async function write(
  options: RowImportOptions,
  range: RowRange,
  onStart: (id: string) => void,
): Promise<BatchEvent> {
  const { path, headers } = importRequest(options)
  const body = `[${options.rows.slice(...range).join(',')}]`
  const size = range[1] - range[0]
  const answer = await sendRest(options.fetch, path, { method: 'POST', headers, body }, { onStart })
  if (!answer.ok) return eventOf(await refusalOf(answer.error, answer.status))
  // Duplicates may have been skipped.
  const written = options.onDuplicate === 'skip' ? Math.min(size, answer.total ?? size) : size
  return { type: 'batch.written', written, skipped: size - written }
}

function eventOf({ failure, fate }: RestRefusal): BatchEvent {
  if (fate === 'delayed' || fate === 'lost') return { type: `batch.${fate}`, failure }
  return { type: 'batch.refused', failure, hopeless: fate === 'hopeless' }
}

/** Starts an import. */
export function createRowImport(options: RowImportOptions): RowImport {
  let requestId: string | undefined
  const sendBatch = effect<{ readonly range: RowRange }, BatchEvent>(({ range }) =>
    write(options, range, id => (requestId = id)),
  )
  const { rows, whole, onDuplicate } = options
  const batches: readonly RowRange[] = whole && rows.length > 0 ? [[0, rows.length]] : batchesOf(rows)
  const input = { batches, whole, repeatable: onDuplicate !== 'refuse', seed: retrySeed() }
  const machine = rowImportMachine.provide({ actors: { sendBatch } })
  return { ...runJob('rowImport', machine, input), requestId: () => requestId }
}
