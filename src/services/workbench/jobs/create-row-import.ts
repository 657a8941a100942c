// Imports rows: the machine with its port, which sends batches as REST requests; recorded separately.
import type { SnapshotFrom } from 'xstate'
import {
  type BatchEvent,
  type BatchInput,
  type RowImportContext,
  rowImportMachine,
  type RowRange,
} from '../../../machines/workbench/row-import.ts'
import type { ChartroomClient } from '../../client/index.ts'
import { effect } from '../../runtime/index.ts'
import { rowsIn, sendRest } from '../rest/rest.ts'
import type { Row } from '../table/schema.ts'
import { selectName } from '../table/rest-names.ts'
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
  readonly isWhole: boolean
  readonly onDuplicate: OnDuplicate
  /** Columns that identify duplicates; required unless duplicates are refused. */
  readonly keys: readonly string[]
  /** The `select` by which the server returns the added rows, for undo; undefined: it returns none. */
  readonly returning?: string | undefined
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
  /** The added rows as returned by the server, which stay out of the recording. */
  readonly addedRows: () => readonly Row[]
}

export const rowImportState = ({
  value,
  context: { seed: _seed, batches: _batches, queue, ...rest },
}: SnapshotFrom<typeof rowImportMachine>): RowImportState => ({
  ...rest,
  phase: typeof value === 'string' ? value : 'sending',
  range: queue[0],
})

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

/** Path and headers of the requests, without key and token. */
function importRequest(
  { schema, table, columns, onDuplicate, keys }: RowImportOptions,
  returning: string | undefined,
) {
  const query = new URLSearchParams([
    ['columns', columns.map(selectName).join(',')],
    ...(onDuplicate === 'refuse' ? [] : [['on_conflict', keys.map(selectName).join(',')]]),
    ...(returning === undefined ? [] : [['select', returning]]),
  ])
  const resolution = {
    refuse: [],
    skip: ['resolution=ignore-duplicates'],
    update: ['resolution=merge-duplicates'],
  }
  const answer = returning === undefined ? 'return=minimal' : 'return=representation'
  const prefer = [answer, 'missing=default', 'count=exact', ...resolution[onDuplicate]]
  return {
    path: `/rest/v1/${encodeURIComponent(table)}?${query}`,
    headers: {
      'content-type': 'application/json',
      prefer: prefer.join(','),
      ...(schema === 'public' ? {} : { 'content-profile': schema }),
    },
  }
}

/** Sends the batches of one import, and collects the rows that they added. */
class BatchWriter {
  readonly #options: RowImportOptions
  readonly #rows: Row[] = []
  #requestId: string | undefined

  constructor(options: RowImportOptions) {
    this.#options = options
  }

  readonly requestId = (): string | undefined => this.#requestId

  readonly addedRows = (): readonly Row[] => this.#rows

  readonly write = async ({ range: [from, to], returning }: BatchInput): Promise<BatchEvent> => {
    const { fetch, rows, onDuplicate } = this.#options
    const { path, headers } = importRequest(this.#options, returning ? this.#options.returning : undefined)
    const body = `[${rows.slice(from, to).join(',')}]`
    const onStart = (id: string) => (this.#requestId = id)
    const answer = await sendRest(fetch, path, { method: 'POST', headers, body }, { onStart })
    if (!answer.ok) return eventOf(await refusalOf(answer.error, answer.status))
    const returnedRows = returning ? rowsIn(answer.text) : undefined
    for (const row of returnedRows ?? []) this.#rows.push(row)
    const size = to - from
    // Duplicates may have been skipped.
    const addedCount = returnedRows?.length ?? answer.total ?? size
    const written = onDuplicate === 'skip' ? Math.min(size, addedCount) : size
    const unreturned = Math.max(0, written - (returnedRows?.length ?? 0))
    return { type: 'batch.written', written, skipped: size - written, unreturned }
  }
}

function eventOf({ failure, fate, sqlState }: RestRefusal): BatchEvent {
  if (fate === 'delayed' || fate === 'lost') return { type: `batch.${fate}`, failure }
  return { type: 'batch.refused', failure, hopeless: fate === 'hopeless', forbidden: sqlState === '42501' }
}

/** Starts an import. */
export function createRowImport(options: RowImportOptions): RowImport {
  const writer = new BatchWriter(options)
  const sendBatch = effect<BatchInput, BatchEvent>(writer.write)
  const { rows, isWhole, onDuplicate, returning } = options
  const batches: readonly RowRange[] = isWhole && rows.length > 0 ? [[0, rows.length]] : batchesOf(rows)
  const input = {
    batches,
    whole: isWhole,
    repeatable: onDuplicate !== 'refuse',
    returning: returning !== undefined,
    seed: retrySeed(),
  }
  const machine = rowImportMachine.provide({ actors: { sendBatch } })
  return { ...runJob('rowImport', machine, input), requestId: writer.requestId, addedRows: writer.addedRows }
}
