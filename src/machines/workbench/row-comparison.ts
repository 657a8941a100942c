// Compares the rows visible to several accounts: reads all pages of each account, then re-checks differences.
import { assign, setup } from 'xstate'
import { planRetry } from '../backoff.ts'
import { isRetryable, type Failure } from '../failure.ts'
import { withEvent } from '../with-event.ts'
import { port } from '../port.ts'
import type { PortBroken } from '../ports.ts'
import { COMPARISON_ATTEMPTS, JOB_RETRY } from '../timings.ts'

/** The progress of reading the rows of one account. */
export interface AccountScan {
  readonly phase: 'reading' | 'read' | 'failed'
  /** Rows read so far. */
  readonly read: number
  /** Number of rows that the account sees, as counted with its first page; undefined while unknown. */
  readonly total: number | undefined
  /** Retryable failures in a row. */
  readonly attempt: number
  readonly failure: Failure | undefined
}

export interface RowComparisonInput {
  /** Number of accounts. They are identified by position. */
  readonly accounts: number
  readonly seed: number
}

export interface RowComparisonContext {
  readonly scans: readonly AccountScan[]
  /** Differing rows that were re-checked, and those that remain. */
  readonly checked: number
  readonly unchecked: number | undefined
  /** Failed re-checks in a row. */
  readonly attempt: number
  readonly delay: number
  readonly seed: number
  /** Why the last re-check failed. */
  readonly failure: Failure | undefined
}

export type RowComparisonEvent =
  | { readonly type: 'comparison.cancel' }
  /** Retries now: failed accounts continue where they stopped. */
  | { readonly type: 'comparison.retry' }

/** The next page of one account, or the reason for its failure. */
export type AccountPage =
  | {
      readonly account: number
      readonly rows: number
      readonly isLast: boolean
      readonly total?: number
    }
  | { readonly account: number; readonly failure: Failure }

export type PagesEvent = { readonly type: 'pages.read'; readonly pages: readonly AccountPage[] } | PortBroken

/** A request for the next page of one account. */
export interface WantedPage {
  readonly account: number
  /** Number of rows before the page. */
  readonly from: number
  readonly attempt: number
}

/** The port: reads the next page of each of these accounts. */
const readPages = port<PagesEvent, { readonly wanted: readonly WantedPage[] }>('readPages')

export type RecheckEvent =
  | { readonly type: 'differences.checked'; readonly rows: number; readonly left: number }
  | { readonly type: 'differences.failed'; readonly failure: Failure }
  | PortBroken

export interface RecheckInput {
  readonly isFirst: boolean
  /** By account: whether all rows were read. */
  readonly isRead: readonly boolean[]
}

/** The port: re-reads the next differing rows; on the first call, it collects them. */
const recheckDifferences = port<RecheckEvent, RecheckInput>('recheckDifferences')

type Pages = Extract<PagesEvent, { type: 'pages.read' }>
type Checked = Extract<RecheckEvent, { type: 'differences.checked' }>
type WithFailure = { readonly failure: Failure }

const NEW_SCAN: AccountScan = {
  phase: 'reading',
  read: 0,
  total: undefined,
  attempt: 0,
  failure: undefined,
}

const wantedPages = (scans: readonly AccountScan[]): readonly WantedPage[] =>
  scans.flatMap(({ phase, read, attempt }, account) =>
    phase === 'reading' ? [{ account, from: read, attempt }] : [],
  )

const afterPage = (scan: AccountScan, page: AccountPage): AccountScan => {
  if ('failure' in page) {
    const attempt = scan.attempt + 1
    const isOver = !isRetryable(page.failure) || attempt >= COMPARISON_ATTEMPTS
    return { ...scan, attempt, failure: page.failure, phase: isOver ? 'failed' : 'reading' }
  }
  return {
    phase: page.isLast ? 'read' : 'reading',
    read: scan.read + page.rows,
    total: page.total ?? scan.total,
    attempt: 0,
    failure: undefined,
  }
}

export const rowComparisonMachine = setup({
  types: {
    context: {} as RowComparisonContext,
    events: {} as RowComparisonEvent | PagesEvent | RecheckEvent,
    input: {} as RowComparisonInput,
  },
  actors: { readPages, recheckDifferences },
  delays: { retryDelay: ({ context }) => context.delay },
  guards: {
    hasFailedPage: ({ context }) =>
      context.scans.some(({ phase, attempt }) => phase === 'reading' && attempt > 0),
    hasUnreadPages: ({ context }) => context.scans.some(({ phase }) => phase === 'reading'),
    hasFailedAccount: ({ context }) => context.scans.some(({ phase }) => phase === 'failed'),
    areAllChecked: (_, { left }: Checked) => left === 0,
    mayRetryCheck: ({ context }, { failure }: WithFailure) =>
      isRetryable(failure) && context.attempt + 1 < COMPARISON_ATTEMPTS,
  },
  actions: {
    addPages: assign(({ context }, { pages }: Pages) => ({
      scans: context.scans.map((scan, account) => {
        const page = pages.find(each => each.account === account)
        return page && scan.phase === 'reading' ? afterPage(scan, page) : scan
      }),
    })),
    failScans: assign(({ context }, { failure }: WithFailure) => ({
      scans: context.scans.map(scan =>
        scan.phase === 'reading' ? { ...scan, phase: 'failed' as const, failure } : scan,
      ),
    })),
    resumeScans: assign(({ context }) => ({
      scans: context.scans.map(scan =>
        scan.phase === 'failed'
          ? { ...scan, phase: 'reading' as const, attempt: 0, failure: undefined }
          : scan,
      ),
      attempt: 0,
      failure: undefined,
    })),
    planRetry: assign(({ context }) => {
      const waiting = context.scans.filter(({ phase, attempt }) => phase === 'reading' && attempt > 0)
      const attempt = Math.max(1, ...waiting.map(scan => scan.attempt))
      const retryAfter = Math.max(0, ...waiting.map(({ failure }) => failure?.retryAfter ?? 0))
      const { seed, delay } = planRetry({ ...JOB_RETRY, attempt, seed: context.seed, retryAfter })
      return { seed, delay }
    }),
    resetCheck: assign({ checked: 0, unchecked: undefined, attempt: 0, failure: undefined }),
    addChecked: assign(({ context }, { rows, left }: Checked) => ({
      checked: context.checked + rows,
      unchecked: left,
      attempt: 0,
      failure: undefined,
    })),
    planCheckRetry: assign(({ context }, { failure }: WithFailure) => {
      const { attempt, seed } = context
      const retryAfter = failure.retryAfter
      return { ...planRetry({ ...JOB_RETRY, attempt: attempt + 1, seed, retryAfter }), failure }
    }),
    setFailure: assign((_, { failure }: WithFailure) => ({ failure })),
  },
}).createMachine({
  id: 'rowComparison',
  context: ({ input: { accounts, seed } }) => ({
    scans: Array.from({ length: accounts }, () => NEW_SCAN),
    checked: 0,
    unchecked: undefined,
    attempt: 0,
    delay: 0,
    seed,
    failure: undefined,
  }),
  initial: 'deciding',
  on: {
    'comparison.cancel': '.canceled',
    'comparison.retry': { target: '.deciding', actions: 'resumeScans' },
  },
  states: {
    deciding: {
      always: [
        { guard: 'hasFailedPage', target: 'backingOff', actions: 'planRetry' },
        { guard: 'hasUnreadPages', target: 'reading' },
        { target: 'rechecking', actions: 'resetCheck' },
      ],
    },
    reading: {
      description: 'One page of each account that has rows left, all at the same time.',
      invoke: {
        id: 'readPages',
        src: 'readPages',
        input: ({ context }) => ({ wanted: wantedPages(context.scans) }),
      },
      on: {
        'pages.read': { target: 'deciding', actions: withEvent('addPages') },
        'port.broken': { target: 'deciding', actions: withEvent('failScans') },
      },
    },
    backingOff: {
      description: 'A page failed with a transient error.',
      after: { retryDelay: 'reading' },
    },
    rechecking: {
      description:
        'Rows may have changed between the reads of two accounts, so a difference counts only if it is seen twice.',
      invoke: {
        id: 'recheckDifferences',
        src: 'recheckDifferences',
        input: ({ context: { scans, unchecked } }) => ({
          isFirst: unchecked === undefined,
          isRead: scans.map(({ phase }) => phase === 'read'),
        }),
      },
      on: {
        'differences.checked': [
          {
            guard: withEvent('areAllChecked'),
            target: 'concluding',
            actions: withEvent('addChecked'),
          },
          { target: 'rechecking', reenter: true, actions: withEvent('addChecked') },
        ],
        'differences.failed': [
          {
            guard: withEvent('mayRetryCheck'),
            target: 'recheckBackingOff',
            actions: withEvent('planCheckRetry'),
          },
          { target: 'unconfirmed', actions: withEvent('setFailure') },
        ],
        'port.broken': { target: 'unconfirmed', actions: withEvent('setFailure') },
      },
    },
    recheckBackingOff: { after: { retryDelay: 'rechecking' } },
    concluding: {
      always: [{ guard: 'hasFailedAccount', target: 'partial' }, { target: 'done' }],
    },
    partial: { description: 'At least one account could not be read to its end.' },
    unconfirmed: { description: 'All rows were read, but not every difference was re-checked.' },
    canceled: { type: 'final' },
    done: { type: 'final' },
  },
})
