// The rows of an open table: when pages are read, counted and reloaded, and for what reason.
import { assign, emit, enqueueActions, raise, sendParent, setup } from 'xstate'
import { withEvent } from '../with-event.ts'
import { port } from '../port.ts'
import type { PortBroken } from '../ports.ts'

/** Distant pages are read after scrolling stops. */
const SETTLE_TIME = 40
/** Changes within this time cause one read. */
const GATHER_TIME = 120
/** A change of a row within this time after the user's own write is taken for its echo. */
const ECHO_TIME = 5_000
/** Within this time after a response, changes may arrive that it already had. */
const DOUBT_TIME = 2_000
/** Changes within this time cause one count. */
const RECOUNT_TIME = 400
/** How long a row stays marked as changed by others. */
const MARK_TIME = 20_000
/** More requests would only queue in the database. */
const MAX_READS = 3

/** Why the rows were last read from the backend. */
export type ReloadReason =
  /** Another query, or the first one. */
  | { readonly kind: 'query' }
  | { readonly kind: 'user' }
  /** Live changes, without echoes of the user's own writes. */
  | { readonly kind: 'changes'; readonly count: number }
  /** The user's own write. */
  | { readonly kind: 'written' }
  | { readonly kind: 'deletion' }
  | { readonly kind: 'import' }
  /** The user took the value of another user. */
  | { readonly kind: 'conflict' }
  /** The channel joined: changes before that were missed. */
  | { readonly kind: 'live' }
  /** The channel was lost and joined again. */
  | { readonly kind: 'gap' }
  /** The backend responds again. */
  | { readonly kind: 'recovered' }
  /** An automatic retry after a failure. */
  | { readonly kind: 'retry' }

/** The id of the request, for the console. */
interface WithRequest {
  readonly request: string | undefined
}

/** The response for one page; the port keeps its rows. */
export type PageEvent =
  /** `isNew`: the page is not shown yet. */
  | ({ readonly type: 'page.received'; readonly isNew: boolean } & WithRequest)
  | ({ readonly type: 'page.refused'; readonly retry: boolean } & WithRequest)
  | PortBroken

export interface PageInput {
  /** Its number, from 0. */
  readonly page: number
}

/** The port: reads one page and keeps its rows until they are shown. */
const readPage = port<PageEvent, PageInput>('readPage')

/** What happened to rows while they are read. */
export type PageReadEvent =
  /** Changes by others, which the response may lack. */
  | { readonly type: 'read.outdated' }
  /** The user's own write, which the response may lack. */
  | { readonly type: 'read.overwritten' }

/** Events sent to the rows. */
export type PageReport =
  /** `isOutdated`: it is shown, and read again. */
  | { readonly type: 'page.read'; readonly page: number; readonly isOutdated: boolean }
  | { readonly type: 'page.failed'; readonly page: number; readonly retry: boolean }

const report = (isOutdated: boolean) =>
  ({ target: '#pageRead.over', actions: { type: 'reportRead', params: { isOutdated } } }) as const

/** The read of one page. */
export const pageReadMachine = setup({
  types: {
    context: {} as PageInput,
    events: {} as PageReadEvent | PageEvent,
    input: {} as PageInput,
  },
  actors: { readPage },
  guards: { isNew: (_, { isNew }: { readonly isNew: boolean }) => isNew },
  actions: {
    reportRead: sendParent(
      ({ context: { page } }, { isOutdated }: { readonly isOutdated: boolean }): PageReport => ({
        type: 'page.read',
        page,
        isOutdated,
      }),
    ),
    reportFailure: sendParent(
      ({ context: { page } }, { retry }: { readonly retry: boolean }): PageReport => ({
        type: 'page.failed',
        page,
        retry,
      }),
    ),
  },
}).createMachine({
  id: 'pageRead',
  context: ({ input }) => input,
  initial: 'reading',
  states: {
    reading: {
      invoke: { id: 'readPage', src: 'readPage', input: ({ context }) => context },
      initial: 'current',
      on: {
        'page.refused': { target: 'over', actions: withEvent('reportFailure') },
        'port.broken': { target: 'over', actions: { type: 'reportFailure', params: { retry: false } } },
      },
      states: {
        current: {
          on: {
            'read.outdated': 'outdated',
            'read.overwritten': 'overwritten',
            'page.received': report(false),
          },
        },
        outdated: {
          description:
            'Others changed rows since the read began: the response is shown, and the page read again.',
          on: { 'read.overwritten': 'overwritten', 'page.received': report(true) },
        },
        overwritten: {
          description:
            'The response may have values from before the user’s own write, on which the next edit would be based: it is shown only if nothing else is.',
          on: {
            'page.received': [
              { guard: withEvent('isNew'), ...report(true) },
              { target: '#pageRead.reading', reenter: true },
            ],
          },
        },
      },
    },
    // The parent stops an ended read immediately.
    over: { on: { '*': {} } },
  },
})

/** The response of a count. */
export type CountEvent =
  | { readonly type: 'rows.counted'; readonly count: number }
  /** It failed, or took too long. */
  | { readonly type: 'rows.uncounted' }
  | PortBroken

/** The port: counts the rows exactly. */
const countRows = port<CountEvent>('countRows')

export interface TableRowsContext {
  /** Why the rows were last read, other than by scrolling. */
  readonly reason: ReloadReason
  /** Visible pages that are missing or outdated, first the most important one. */
  readonly wanted: readonly number[]
  /** Pages that are being read. */
  readonly reads: readonly number[]
  /** Number of the last batch of live changes. */
  readonly batch: number
}

type Reload = { readonly type: 'rows.reload'; readonly reason: ReloadReason }
type ViewChanged = {
  readonly type: 'view.changed'
  /** Visible pages that are missing or outdated. */
  readonly missing: readonly number[]
  /** Whether the number of rows is only estimated. */
  readonly isEstimate: boolean
}
type ChangesApplied = {
  readonly type: 'changes.applied'
  readonly batch: number
  /** How many changes are not echoes of the user's own writes. */
  readonly others: number
  /** It is not clear whether the shown rows and their number had them already. */
  readonly isUnclear: boolean
}
type RowsWritten = {
  readonly type: 'rows.written'
  /** Number of the write. */
  readonly write: number
}

export type TableRowsEvent =
  /** Reads all visible rows again, or those of another query. */
  | Reload
  /** The rows that are visible or loaded are others. */
  | ViewChanged
  /** A live change; those that follow are gathered with it. */
  | { readonly type: 'row.changed' }
  /** A batch of live changes was applied to the loaded rows. */
  | ChangesApplied
  /** The user's own write or deletion succeeded. */
  | RowsWritten
  | { readonly type: 'channel.live' }
  /** Changes are missed from now on. */
  | { readonly type: 'channel.lost' }
  /** The backend responds again. */
  | { readonly type: 'backend.recovered' }

type EchoOver = { readonly type: 'echo.over'; readonly write: number }
type MarksOver = { readonly type: 'marks.over'; readonly batch: number }

/** What the store does with the loaded rows. */
export type TableRowsEmitted =
  /** Keeps the rows on screen and asks for the visible ones. */
  | { readonly type: 'reload.started' }
  /** Shows the rows of a page that were read. */
  | Extract<PageReport, { type: 'page.read' }>
  | { readonly type: 'page.failed'; readonly page: number }
  /** Applies the live changes that were gathered, and answers with `changes.applied`. */
  | { readonly type: 'changes.gathered'; readonly batch: number }
  /** From now on, changes of the rows of this write count as changes by others. */
  | EchoOver
  /** Removes the marks of this batch. */
  | MarksOver
  /** The number of rows may be wrong. */
  | { readonly type: 'total.doubted' }

type PageRead = Extract<PageReport, { type: 'page.read' }>
type PageFailed = Extract<PageReport, { type: 'page.failed' }>

const actorOf = (page: number) => `page.${page}`

/** The reads to end and to start, so that only wanted pages are read, a few at once. */
const plan = ({ wanted: planReads, reads }: TableRowsContext) => {
  const keptReads = reads.filter(page => planReads.includes(page))
  const started = planReads.filter(page => !reads.includes(page)).slice(0, MAX_READS - keptReads.length)
  return {
    ended: reads.filter(page => !planReads.includes(page)),
    started,
    reads: [...keptReads, ...started],
  }
}

const reload = (reason: ReloadReason) => ({ type: 'reload', params: { reason } }) as const

export const tableRowsMachine = setup({
  types: {
    context: {} as TableRowsContext,
    events: {} as TableRowsEvent | PageReport | CountEvent | EchoOver | MarksOver,
    emitted: {} as TableRowsEmitted,
  },
  actors: { pageRead: pageReadMachine, countRows },
  delays: {
    settleTime: SETTLE_TIME,
    gatherTime: GATHER_TIME,
    echoTime: ECHO_TIME,
    doubtTime: DOUBT_TIME,
    recountTime: RECOUNT_TIME,
    markTime: MARK_TIME,
  },
  guards: {
    isComplete: (_, { missing }: ViewChanged) => missing.length === 0,
    /** The first page is on screen at the start: it is not scrolled past. */
    isFirst: (_, { missing }: ViewChanged) => missing[0] === 0,
    isExpected: ({ context }, { missing }: ViewChanged) =>
      missing.every(page => context.wanted.includes(page)),
    isRead: ({ context }) => context.wanted.length === 0,
    isUneven: ({ context }) => {
      const { ended, started } = plan(context)
      return ended.length + started.length > 0
    },
    isSameQuery: (_, { reason }: Reload) => reason.kind !== 'query',
    isEstimate: (_, { isEstimate }: ViewChanged) => isEstimate,
    isExact: (_, { isEstimate }: ViewChanged) => !isEstimate,
    isUnclear: (_, { isUnclear }: ChangesApplied) => isUnclear,
  },
  actions: {
    reload: raise((_, { reason }: { readonly reason: ReloadReason }): Reload => ({
      type: 'rows.reload',
      reason,
    })),
    startReload: enqueueActions(({ enqueue }, { reason }: Reload) => {
      enqueue.assign({ reason, wanted: [] })
      enqueue.emit({ type: 'reload.started' })
    }),
    setWanted: assign((_, { missing }: ViewChanged) => ({ wanted: missing })),
    /** Ends and starts reads. */
    adjustReads: enqueueActions(({ context, enqueue }) => {
      const { ended, started, reads } = plan(context)
      for (const page of ended) enqueue.stopChild(actorOf(page))
      for (const page of started) enqueue.spawnChild('pageRead', { id: actorOf(page), input: { page } })
      enqueue.assign({ reads })
    }),
    showPage: enqueueActions(({ context, enqueue }, event: PageRead) => {
      const { page, isOutdated } = event
      const otherPages = (pages: readonly number[]) => pages.filter(each => each !== page)
      enqueue.stopChild(actorOf(page))
      enqueue.assign({
        reads: otherPages(context.reads),
        wanted: isOutdated ? context.wanted : otherPages(context.wanted),
      })
      enqueue.emit(event)
    }),
    fail: enqueueActions(({ enqueue }, { page }: PageFailed) => {
      enqueue.assign({ wanted: [] })
      enqueue.emit({ type: 'page.failed', page })
    }),
    applyChanges: enqueueActions(({ context, enqueue }) => {
      const batch = context.batch + 1
      enqueue.assign({ batch })
      enqueue.emit({ type: 'changes.gathered', batch })
    }),
    reloadChanged: enqueueActions(({ context, enqueue }, { batch, others }: ChangesApplied) => {
      for (const page of context.reads) enqueue.sendTo(actorOf(page), { type: 'read.outdated' })
      enqueue.assign({ reason: others > 0 ? { kind: 'changes', count: others } : { kind: 'written' } })
      enqueue.raise({ type: 'marks.over', batch }, { delay: 'markTime', id: `marks.${batch}` })
    }),
    awaitEcho: enqueueActions(({ context, enqueue }, { write }: RowsWritten) => {
      for (const page of context.reads) enqueue.sendTo(actorOf(page), { type: 'read.overwritten' })
      enqueue.raise({ type: 'echo.over', write }, { delay: 'echoTime', id: `echo.${write}` })
    }),
    emitEvent: emit((_, event: EchoOver | MarksOver) => event),
    doubtTotal: emit({ type: 'total.doubted' }),
  },
}).createMachine({
  id: 'tableRows',
  context: { reason: { kind: 'query' }, wanted: [], reads: [], batch: 0 },
  type: 'parallel',
  states: {
    reading: {
      description: 'Reads the visible pages that are missing or outdated.',
      initial: 'idle',
      on: {
        'rows.reload': { target: '.idle', actions: withEvent('startReload') },
        'view.changed': [
          { guard: withEvent('isComplete'), target: '.idle', actions: withEvent('setWanted') },
          { guard: withEvent('isFirst'), target: '.reading', actions: withEvent('setWanted') },
          { target: '.settling', reenter: true, actions: withEvent('setWanted') },
        ],
        'page.read': { actions: withEvent('showPage') },
        'page.failed': { target: '.failed', actions: withEvent('fail') },
      },
      states: {
        idle: { description: 'All visible rows are loaded.', entry: 'adjustReads' },
        settling: {
          description: 'Waits for the end of scrolling; reads that run continue.',
          after: { settleTime: 'reading' },
          on: { 'backend.recovered': { actions: reload({ kind: 'recovered' }) } },
        },
        reading: {
          description: 'A few pages at once, and only visible ones.',
          always: [
            { guard: 'isRead', target: 'idle' },
            { guard: 'isUneven', actions: 'adjustReads' },
          ],
          on: {
            'view.changed': { guard: withEvent('isExpected'), actions: withEvent('setWanted') },
            // A request that waits for its own retry would wait longer than the backend needs.
            'backend.recovered': { actions: reload({ kind: 'recovered' }) },
          },
        },
        failed: {
          description: 'Nothing is read until the next reload, which an automatic retry may cause.',
          entry: 'adjustReads',
          on: {
            'view.changed': {},
            'backend.recovered': { actions: reload({ kind: 'recovered' }) },
          },
        },
      },
    },
    total: {
      description: 'The number of rows.',
      initial: 'certain',
      on: { 'rows.reload': '.certain' },
      states: {
        certain: {
          description: 'Changes add to it exactly. A reload may follow changes that were missed.',
          on: {
            'page.read': 'doubtful',
            'view.changed': { guard: withEvent('isEstimate'), target: 'counting' },
            'changes.applied': { guard: withEvent('isUnclear'), target: 'recounting' },
            'rows.reload': { guard: withEvent('isSameQuery'), target: 'recounting' },
          },
        },
        doubtful: {
          description: 'A moment ago a response arrived; changes that follow may be in it already.',
          after: { doubtTime: 'certain' },
          on: {
            'page.read': { target: 'doubtful', reenter: true },
            'view.changed': { guard: withEvent('isEstimate'), target: 'counting' },
            'changes.applied': 'recounting',
            'rows.reload': { guard: withEvent('isSameQuery'), target: 'recounting' },
          },
        },
        counting: {
          invoke: { id: 'countRows', src: 'countRows' },
          initial: 'current',
          on: {
            'rows.counted': 'doubtful',
            'rows.uncounted': 'estimated',
            'port.broken': 'estimated',
            'view.changed': { guard: withEvent('isExact'), target: 'doubtful' },
          },
          states: {
            current: { on: { 'changes.applied': 'outdated' } },
            outdated: {
              description: 'The count may have the changes that arrived since it began, or not.',
              on: {
                'rows.counted': '#tableRows.total.recounting',
                'view.changed': { guard: withEvent('isExact'), target: '#tableRows.total.recounting' },
              },
            },
          },
        },
        recounting: {
          description: 'Changes in a row cause one count.',
          after: { recountTime: { target: 'certain', actions: 'doubtTotal' } },
        },
        estimated: {
          description: 'The count failed, and is not repeated before the next reload.',
          on: { 'view.changed': { guard: withEvent('isExact'), target: 'doubtful' } },
        },
      },
    },
    changes: {
      description: 'Live changes, and echoes of the user’s own writes.',
      initial: 'idle',
      on: {
        'changes.applied': { actions: withEvent('reloadChanged') },
        'rows.written': { actions: withEvent('awaitEcho') },
        'echo.over': { actions: withEvent('emitEvent') },
        'marks.over': { actions: withEvent('emitEvent') },
      },
      states: {
        idle: { on: { 'row.changed': 'gathering' } },
        gathering: { after: { gatherTime: { target: 'idle', actions: 'applyChanges' } } },
      },
    },
    channel: {
      description: 'Whether live changes arrive. Those that were missed are read.',
      initial: 'joining',
      states: {
        joining: { on: { 'channel.live': { target: 'live', actions: reload({ kind: 'live' }) } } },
        live: { on: { 'channel.lost': 'lost' } },
        lost: { on: { 'channel.live': { target: 'live', actions: reload({ kind: 'gap' }) } } },
      },
    },
  },
})
