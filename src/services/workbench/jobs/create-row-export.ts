// Exports rows: the machine with its port, which reads pages and passes each on; recorded separately.
import type { SnapshotFrom } from 'xstate'
import {
  type PageEvent,
  type RowExportContext,
  rowExportMachine,
} from '../../../machines/workbench/row-export.ts'
import type { ChartroomClient } from '../../client/index.ts'
import { effect } from '../../runtime/index.ts'
import type { RowReader } from '../table/row-reader.ts'
import type { Row } from '../table/schema.ts'
import { incomplete, readPage } from './row-requests.ts'
import { type Job, retrySeed, runJob } from './run-job.ts'

export interface RowExportOptions {
  readonly fetch: ChartroomClient['fetch']
  readonly reader: RowReader
  /** Processes the rows of a page; called once per page, in order. */
  readonly take: (rows: readonly Row[]) => void
  readonly expected: number | undefined
}

export type RowExportPhase = 'reading' | 'backingOff' | 'paused' | 'failed' | 'canceled' | 'done'

export interface RowExportState extends Omit<RowExportContext, 'seed'> {
  readonly phase: RowExportPhase
}

export interface RowExport extends Job<typeof rowExportMachine> {
  /** The id of the last request. */
  readonly requestId: () => string | undefined
}

export const rowExportState = ({
  value,
  context: { seed: _seed, ...rest },
}: SnapshotFrom<typeof rowExportMachine>): RowExportState => ({ ...rest, phase: value })

async function read(
  { fetch, reader, take }: RowExportOptions,
  signal: AbortSignal,
  onStart: (id: string) => void,
): Promise<PageEvent> {
  const answer = await readPage(fetch, reader, signal, onStart)
  if ('kind' in answer) return { type: 'page.failed', failure: answer }
  const { rows, isLast, total, missing } = reader.take(answer)
  take(rows)
  if (missing === 0)
    return { type: 'page.read', rows: rows.length, isLast, ...(total !== undefined && { total }) }
  // If it is resumed, it looks for the others.
  reader.restart()
  return { type: 'page.failed', failure: incomplete(reader.read(), missing), total: reader.read() + missing }
}

/** Starts an export. */
export function createRowExport(options: RowExportOptions): RowExport {
  let requestId: string | undefined
  const readNext = effect<{ readonly from: number }, PageEvent>((_, signal) =>
    read(options, signal, id => (requestId = id)),
  )
  const machine = rowExportMachine.provide({ actors: { readPage: readNext } })
  const job = runJob('rowExport', machine, { expected: options.expected, seed: retrySeed() })
  return { ...job, requestId: () => requestId }
}
