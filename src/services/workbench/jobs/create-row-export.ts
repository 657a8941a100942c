// Exports rows: the machine with its port, which reads pages and passes each on; recorded separately.
import type { SnapshotFrom } from 'xstate'
import { type PageEvent, type RowExportContext, rowExportMachine } from '../../../machines/index.ts'
import type { ChartroomClient } from '../../client/index.ts'
import { effect } from '../../runtime/index.ts'
import { type PageRequest, readPage as readRows, refusalOf } from './row-requests.ts'
import { type Job, retrySeed, runJob } from './run-job.ts'

export interface RowExportOptions {
  readonly fetch: ChartroomClient['fetch']
  /** The request for the rows beginning at number `from`, counted from 0. */
  readonly page: (from: number) => PageRequest
  /** Processes the text of a page and returns its number of rows; called once per page, in order. */
  readonly take: (text: string) => number
  readonly expected: number | undefined
  /** Maximum number of rows. */
  readonly most?: number
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
  options: RowExportOptions,
  from: number,
  signal: AbortSignal,
  onStart: (id: string) => void,
): Promise<PageEvent> {
  const page = await readRows(options.fetch, options.page(from), signal, onStart)
  if ('kind' in page) return { type: 'page.failed', failure: page }
  if (page.text === undefined) return { type: 'page.read', rows: 0, isLast: true }
  try {
    const rows = options.take(page.text)
    // The server decides the page size; only an empty page or one that reaches the maximum is certainly the
    // last.
    const isAll = options.most !== undefined && from + rows >= options.most
    return { type: 'page.read', rows, isLast: rows === 0 || isAll }
  } catch (error) {
    return { type: 'page.failed', failure: (await refusalOf(error, 0)).failure }
  }
}

/** Starts an export. */
export function createRowExport(options: RowExportOptions): RowExport {
  let requestId: string | undefined
  const readPage = effect<{ readonly from: number }, PageEvent>(({ from }, signal) =>
    read(options, from, signal, id => (requestId = id)),
  )
  const machine = rowExportMachine.provide({ actors: { readPage } })
  const job = runJob('rowExport', machine, { expected: options.expected, seed: retrySeed() })
  return { ...job, requestId: () => requestId }
}
