// Exports rows: the machine with its port, which reads pages and passes each on; recorded separately.
import type { SnapshotFrom } from 'xstate'
import { type PageEvent, type RowExportContext, rowExportMachine } from '../../../machines/index.ts'
import type { ChartroomClient } from '../../client/index.ts'
import { effect } from '../../runtime/index.ts'
import { sendRest } from '../rest/index.ts'
import { refusalOf } from './refusal.ts'
import { type Job, retrySeed, runJob } from './run-job.ts'

export interface RowExportOptions {
  readonly fetch: ChartroomClient['fetch']
  /** Path and headers for the rows beginning at number `from`, counted from 0. */
  readonly page: (from: number) => {
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
  }
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

interface Reading {
  readonly from: number
  readonly signal: AbortSignal
  readonly onStart: (id: string) => void
}

/** Servers respond to pages after the last row with 416 or an empty page. */
const NO_MORE = 416

async function read(options: RowExportOptions, { from, signal, onStart }: Reading): Promise<PageEvent> {
  const { path, headers } = options.page(from)
  const answer = await sendRest(options.fetch, path, { headers, signal }, { onStart })
  if (!answer.ok) {
    const { status, error } = answer
    if (status === NO_MORE) return { type: 'page.read', rows: 0, isLast: true }
    return { type: 'page.failed', failure: (await refusalOf(error, status)).failure }
  }
  try {
    const rows = options.take(answer.text)
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
    read(options, { from, signal, onStart: id => (requestId = id) }),
  )
  const machine = rowExportMachine.provide({ actors: { readPage } })
  const job = runJob('rowExport', machine, { expected: options.expected, seed: retrySeed() })
  return { ...job, requestId: () => requestId }
}
