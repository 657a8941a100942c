// The model of the visible table: its query in the URL, rows, columns, and unsaved work with its notices.
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { toast } from 'sonner'
import type { ChartroomClient } from '../../../services/client/index.ts'
import { callRest } from '../../../services/workbench/rest/index.ts'
import { findKey, keyCandidates, keyStoreOf, withKey } from '../../../services/workbench/schema/index.ts'
import { keepByClient, userIn } from '../../../services/workbench/storage/index.ts'
import {
  askFor,
  type Composite,
  compositesIn,
  createDraftStorage,
  defaultSorts,
  draftsName,
  editedCells,
  fromTableSearch,
  guessTable,
  isReferring,
  leavingKeys,
  madeStoreOf,
  readOnlyReason,
  refusedRightsOf,
  type RelatedColumn,
  type Row,
  type TableFilter,
  type TableInfo,
  type TableName,
  type TableQuery,
  TableSession,
  type TableSessionPorts,
  type TableSort,
  toTableSearch,
  UNDO_MS,
  withComposites,
  withMade,
  withoutRefused,
} from '../../../services/workbench/table/index.ts'
import { plural } from '../../../services/workbench/text/index.ts'
import { useChannel, useChannelEvent, useClient, useStatus } from '../../react/index.ts'
import { createLeaveGuard } from '../leave-guard.ts'
import { useRetry } from '../retry.ts'
import { notify } from '../shell/notify.ts'
import { useRecovered } from '../shell/use-backend-trouble.ts'
import { isLoading, usePageRequest } from '../use-page-request.ts'
import { workRecordings } from '../work-recordings.ts'
import { useLayout, useStoredLayout } from './grid/use-layout.ts'
import { rowsTopic } from './rows-topic.ts'
import { tableChanges } from './table-changes.ts'
import { useTables } from './tables.tsx'
import { useLabels } from './use-labels.ts'

/** The next sorts after a click on a column: ascending, descending, none. */
export const toggledSorts = (
  sorts: readonly TableSort[],
  column: string,
  isAdded: boolean,
): readonly TableSort[] => {
  const before = sorts.find(sort => sort.column === column)
  const next: TableSort | undefined =
    before === undefined
      ? { column, direction: 'asc' }
      : before.direction === 'asc'
        ? { column, direction: 'desc' }
        : undefined
  if (!isAdded) return [next ?? { column, direction: 'asc' }]
  if (before === undefined) return next === undefined ? sorts : [...sorts, next]
  return sorts.flatMap(sort => (sort.column === column ? (next ?? []) : sort))
}

/** The query with the related columns, and without sorts by those that are no longer shown. */
const readQuery = (
  query: TableQuery,
  known: TableInfo | undefined,
  related: readonly RelatedColumn[],
): TableQuery => {
  const names = new Set([...(known?.columns ?? []), ...related].map(({ name }) => name))
  const isGone = ({ column }: TableSort) =>
    known !== undefined && column.includes(' › ') && !names.has(column)
  return {
    ...query,
    sorts: query.sorts.filter(sort => !isGone(sort)),
    ...(related.length === 0 ? {} : { related }),
  }
}

const ASKING = 'Asking the backend for the primary key of this table…'

/** The model of a table. */
export const useTable = (table: string) => {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const tables = useTables()
  const known = tables.info(table)
  const query = useStable(fromTableSearch(table, search))
  const sorts = useMemo(() => (query.sorts.length > 0 ? query.sorts : defaultSorts(known)), [query, known])
  const storedLayout = useStoredLayout(query, known, tables.info)
  const { related } = storedLayout
  const asked = useMemo(() => readQuery({ ...query, sorts }, known, related), [query, sorts, known, related])
  const session = useTableSession(query)
  const pages = usePages(session, { query: asked, known, isReady: tables.phase !== 'loading' })
  const { info, isAsking } = pages
  const open = useCallback(
    (next: TableQuery) =>
      void navigate({ to: '/data/$table', params: { table: next.table }, search: toTableSearch(next) }),
    [navigate],
  )
  const layout = useLayout(query, storedLayout, info.columns)
  const labels = useLabels(query, info.columns, pages.state, layout.layout.plainKeys !== true)
  const { choose } = layout
  const show = useCallback(
    (next: TableQuery) => {
      choose(next)
      open(next)
    },
    [choose, open],
  )
  const sortBy = useCallback((next: readonly TableSort[]) => open({ ...query, sorts: next }), [open, query])
  const filterBy = useCallback(
    (next: readonly TableFilter[]) => open({ ...query, filters: next }),
    [open, query],
  )
  const work = useTableWork(session)
  const me = useStatus(({ session }) => (session.phase === 'authenticated' ? session.user.id : undefined))
  const readOnly = useMemo(() => (isAsking ? ASKING : readOnlyReason(info)), [info, isAsking])
  // The same object until something changes: a moved cursor renders neither the toolbar nor the header.
  return useMemo(
    () => ({
      /** As in the URL. */
      query,
      /** The effective sorts: those in the URL, or the table's default. */
      sorts,
      pages,
      layout,
      /** Labels of foreign keys. */
      labels,
      ...work,
      /** The signed-in user's id. */
      me,
      /** Why the table is read-only; undefined when it can be changed. */
      readOnly,
      open,
      /** Also applies the query's columns, for saved queries. */
      show,
      sortBy,
      filterBy,
    }),
    [query, sorts, pages, layout, labels, work, me, readOnly, open, show, sortBy, filterBy],
  )
}

export type TableModel = ReturnType<typeof useTable>

const sessions = keepByClient<TableSession>()

/** The signed-in user, or the one who left: unsaved input stays theirs until the page is gone. */
export const useOwner = (): string => {
  const user = useStatus(userIn)
  const [owner, setOwner] = useState(user)
  if (user !== '' && user !== owner) setOwner(user)
  return user === '' ? owner : user
}

/** Kept per account and table until the page reloads. */
const useTableSession = ({ schema, table }: TableName): TableSession => {
  const client = useClient()
  const user = useOwner()
  return useMemo(() => {
    const name = draftsName(client.url, user, schema, table)
    const create = () => new TableSession(client, user, { schema, table }, portsOf(client, table, name))
    return sessions.of(client, name, create)
  }, [client, user, schema, table])
}

/** Undefined on an insecure page. */
const locksOf = ({ locks }: { readonly locks?: LockManager }): LockManager | undefined => locks

function portsOf(client: ChartroomClient, table: string, drafts: string): TableSessionPorts {
  const guardDrafts = createLeaveGuard()
  const idOf = (id: number) => `delete.${table}.${id}`
  /** A separate notice id: a notice that is closing cannot be updated. */
  const refusalOf = (id: number) => `${idOf(id)}.refused`
  return {
    drafts: createDraftStorage(drafts, locksOf(navigator)),
    onKept: isKept => guardDrafts(!isKept),
    onPending: createLeaveGuard(),
    onOpened: (name, job) => workRecordings(client).add(name, { ...job, isPage: true }),
    onBegun: (name, job) => workRecordings(client).add(name, job),
    onOrdered: (id, title, undo) =>
      void notify({ id: idOf(id), title, within: UNDO_MS, action: { label: 'Undo', run: undo } }),
    onClosed: id => {
      toast.dismiss(idOf(id))
      toast.dismiss(refusalOf(id))
    },
    onUnseen: ({ id, rows }, { message }, retry) =>
      void notify({
        tone: 'fail',
        id: refusalOf(id),
        title: `${plural(rows.size, 'row')} of ${table} ${rows.size === 1 ? 'was' : 'were'} not deleted`,
        detail: message,
        action: { label: 'Retry delete', run: retry },
      }),
  }
}

interface PagesOptions {
  readonly query: TableQuery
  readonly known: TableInfo | undefined
  /** False until the columns are known. */
  readonly isReady: boolean
}

/** Keeps the query object's identity while its content is unchanged. */
const useStable = (query: TableQuery): TableQuery => {
  const text = JSON.stringify(query)
  return useMemo(() => JSON.parse(text) as TableQuery, [text])
}

/** The rows of a query while the page is open. */
const usePages = (session: TableSession, options: PagesOptions) => {
  const { rows } = session
  const { known, isReady } = options
  const query = useStable(options.query)
  const {
    pages: state,
    isLoading,
    request,
    reason,
    relatedFailure,
  } = useSyncExternalStore(rows.subscribe, rows.state)
  const { info: described, isAsking } = useTableInfo(query.table, query.schema, known, state.rows.get(0))
  const info = useMemo(
    () => (state.isKeyShared ? { ...described, isKeyShared: true as const } : described),
    [described, state.isKeyShared],
  )
  useEffect(() => session.know(info), [session, info])
  useEffect(() => {
    if (isReady) rows.open(query)
  }, [rows, query, isReady])
  useEffect(() => rows.close, [rows])
  const failure = state.phase === 'failed' && state.failure?.retry === true ? state.failure : undefined
  useRetry('rows', failure, () => rows.reload({ kind: 'retry' }))
  useRecovered(rows.recovered)
  const channel = useTableChanges(query, rows, isReady)
  const { reload, showRange } = rows
  return useMemo(
    () => ({
      state,
      /** Columns as known, or as guessed from the rows. */
      info,
      /** The primary key is not known yet. */
      isAsking,
      channel,
      isLoading,
      /** Id of the last request with a response. */
      request,
      /** Why the rows were last loaded. */
      reason,
      /** Why columns of related rows could not be read. */
      relatedFailure,
      reload,
      look: showRange,
    }),
    [state, info, isAsking, channel, isLoading, request, reason, relatedFailure, reload, showRange],
  )
}

/** Reports live changes to the rows, and when they arrive. */
const useTableChanges = (
  { schema, table }: TableQuery,
  { changed, follow }: TableSession['rows'],
  isOpen: boolean,
) => {
  const { status, handle } = useChannel(rowsTopic(schema, table), {
    postgresChanges: [{ event: '*', schema, table }],
  })
  useChannelEvent(handle, 'change', changed)
  useEffect(() => {
    if (isOpen) follow(status)
  }, [isOpen, follow, status])
  return status
}

const NONE: readonly Composite[] = []

/** Verifies composite references with the backend; most tables have no candidates. */
const useComposites = (info: TableInfo | undefined, schema: string): readonly Composite[] => {
  const client = useClient()
  const { infos } = useTables()
  const maybe = useMemo(
    () => (info === undefined || info.keys !== undefined ? NONE : compositesIn(info, infos)),
    [info, infos],
  )
  const isAsked = info !== undefined && maybe.length > 0
  const { data } = usePageRequest(
    isAsked ? ['references', schema, info.name, maybe] : undefined,
    async (_data, signal) => {
      if (!isAsked) return NONE
      const ask = async (one: Composite) => {
        const read = askFor(info, one, schema)
        const answer = await callRest(client, { method: 'GET', ...read, isLow: true, signal })
        return answer.ok && isReferring(answer.rows) ? [one] : []
      }
      return (await Promise.all(maybe.map(ask))).flat()
    },
  )
  return data ?? NONE
}

/** The primary key, asked for where neither the backend nor a file names it; `isAsking` until it has answered. */
const useKey = (info: TableInfo, schema: string) => {
  const client = useClient()
  const { infos } = useTables()
  const store = keyStoreOf(client)
  const { name } = info
  const isNeeded = (!info.isKnown || info.isKeyUnknown === true) && info.columns.length > 0
  const key = useSyncExternalStore(store.subscribe, () => store.of({ schema, table: name }))
  const candidates = useMemo(() => {
    if (!isNeeded) return []
    const columns = infos.flatMap(other => other.columns)
    const referenced = columns.flatMap(({ references }) =>
      references?.table === name ? [references.column] : [],
    )
    return keyCandidates(info, new Set(referenced))
  }, [isNeeded, info, infos, name])
  const isAsked = isNeeded && key === undefined && candidates.length > 0
  const names = candidates.map(columns => columns.map(column => column.name))
  const asked = usePageRequest(isAsked ? ['key', schema, name, names] : undefined, async (_data, signal) => {
    const found = await findKey(client, { schema, table: name }, candidates, signal)
    if (found) store.add({ schema, table: name }, found)
    return found ?? null
  })
  return { isNeeded, key, isAsking: isAsked && isLoading(asked) }
}

/** Keeps the object's identity while its content is unchanged. */
const useTableInfo = (
  name: string,
  schema: string,
  known: TableInfo | undefined,
  first: readonly Row[] | undefined,
): { readonly info: TableInfo; readonly isAsking: boolean } => {
  const client = useClient()
  const store = madeStoreOf(client)
  const made = useSyncExternalStore(store.subscribe, store.all)
  const refusals = refusedRightsOf(client)
  const refused = useSyncExternalStore(refusals.subscribe, refusals.all)
  const composites = useComposites(known, schema)
  const plain = useMemo(() => known ?? guessTable(name, first ?? []), [known, name, first])
  const { isNeeded, key, isAsking } = useKey(plain, schema)
  const info = useMemo(() => {
    const keyed = isNeeded ? withKey(plain, key) : plain
    return withComposites(withoutRefused(withMade(keyed, schema, made), schema, refused), composites)
  }, [plain, isNeeded, key, schema, made, refused, composites])
  return { info, isAsking }
}

/** The unsaved work of a session, as its page shows and changes it. */
const useTableWork = (session: TableSession) => {
  const client = useClient()
  const { keep, write, undo } = session
  const { latest, retry, cancel, subscribe, edits: editsNow } = session.edits
  const edits = useSyncExternalStore(subscribe, editsNow)
  const list = useSyncExternalStore(session.deletions.subscribe, session.deletions.list)
  const cells = useMemo(() => editedCells(edits), [edits])
  const leaving = useMemo(() => leavingKeys(list), [list])
  const changes = useMemo(() => tableChanges(session), [session])
  const { send } = session.deletions
  return useMemo(() => {
    /** Opens the edits in the console. */
    const showStates = () => workRecordings(client).show(session.edits.job()?.recording)
    return {
      edits: { edits, cells, keep, write, latest, retry, cancel, showStates },
      /** `leaving`: keys of rows that are being deleted. */
      deletions: { list, leaving, order: changes.deleteRows, undo, retry: send },
      /** Writes cells and rows, with undo. */
      changes,
    }
  }, [client, session, edits, cells, keep, write, latest, retry, cancel, list, leaving, undo, send, changes])
}
