// The session of the visible table, kept with the client: its unsaved work for the page, and notices for what
// happens in it.
import { useMemo, useSyncExternalStore } from 'react'
import { toast } from 'sonner'
import type { ChartroomClient } from '../../../../services/client/index.ts'
import { useClient, useStatus } from '../../../react/index.ts'
import { keepByClient, userIn } from '../../../../services/workbench/storage/index.ts'
import {
  createDraftStorage,
  draftsName,
  editedCells,
  type HistoryEntry,
  type HistoryOutcome,
  leavingKeys,
  type Plan,
  type Row,
  type RowChange,
  type TableName,
  TableSession,
  type TableSessionPorts,
  UNDO_MS,
} from '../../../../services/workbench/table/index.ts'
import { plural } from '../../../../services/workbench/text/index.ts'
import { createLeaveGuard } from '../../leave-guard.ts'
import { notify, type Notice } from '../../shell/notify.ts'
import { workRecordings } from '../../work-recordings.ts'

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

const sessions = keepByClient<TableSession>()

/** Kept per account and table until the page reloads. */
export const useTableSession = ({ schema, table }: TableName): TableSession => {
  const client = useClient()
  const user = useStatus(userIn)
  return useMemo(() => {
    const name = draftsName(client.url, user, schema, table)
    const create = () => new TableSession(client, user, { schema, table }, portsOf(client, table, name))
    return sessions.of(client, name, create)
  }, [client, user, schema, table])
}

const lowered = (title: string) => title.charAt(0).toLowerCase() + title.slice(1)

const LATE = {
  deletion: 'Deleted rows can’t be restored after the deletion was sent.',
  cells: 'The change was never saved, so there is nothing to undo.',
} as const

/** Undoable changes, and their notices. */
const tableChanges = ({ history, deleteRows }: TableSession) => {
  let close = () => undefined as void
  const show = (notice: Notice) => {
    close()
    close = notify(notice)
  }
  /** The Undo button is for one change; the next change replaces it. */
  const withUndo = (title: string, entry: HistoryEntry, detail?: string) =>
    show({
      tone: 'ok',
      title,
      ...(detail === undefined ? {} : { detail }),
      action: { label: 'Undo', run: () => (history.isLast(entry) ? undo() : undefined) },
    })
  const announce = (done: 'Undone' | 'Redone', outcome: HistoryOutcome) => {
    if (outcome.type === 'empty')
      return show({ title: done === 'Undone' ? 'Nothing to undo' : 'Nothing to redo' })
    const { entry } = outcome
    const title = `${done}: ${lowered(entry.title)}`
    if (outcome.type === 'late')
      return show({ title: `Not undone: ${lowered(entry.title)}`, detail: LATE[entry.kind] })
    // A deletion has its own notice.
    if (entry.kind === 'deletion' && done === 'Redone') return close()
    if (done === 'Redone') return withUndo(title, entry)
    return show({ tone: 'ok', title, action: { label: 'Redo', run: redo } })
  }
  /** Shows why nothing was changed. */
  const skip = (reason: string) => show({ title: 'Nothing was changed', detail: reason })
  const undo = () => announce('Undone', history.undo())
  const redo = () => announce('Redone', history.redo())
  return {
    /** Writes a plan and shows a notice with Undo, or with what was skipped and why. */
    run: ({ title, changes, skipped }: Pick<Plan, 'title' | 'changes' | 'skipped'>) => {
      const entry = history.change(title, changes)
      const detail = skipped.length === 0 ? undefined : `Skipped: ${skipped.join(', ')}.`
      if (entry !== undefined) return withUndo(title, entry, detail)
      skip(detail ?? 'The cells already have these values.')
    },
    skip,
    /** Writes without a notice. */
    change: (title: string, changes: readonly RowChange[]) => {
      if (history.change(title, changes) !== undefined) close()
    },
    /** Adds what a form has written. */
    written: (title: string, changes: readonly RowChange[]) => {
      if (changes.length === 0) return
      history.written(title, changes)
      close()
    },
    deleteRows: (rows: readonly Row[]) => {
      if (deleteRows(rows)) close()
    },
    undo,
    redo,
  }
}

/** The unsaved work of a session, as its page shows and changes it. */
export const useTableWork = (session: TableSession) => {
  const client = useClient()
  const { keep, write, undo } = session
  const { latest, retry, cancel, subscribe, edits: editsNow } = session.edits
  const edits = useSyncExternalStore(subscribe, editsNow)
  const list = useSyncExternalStore(session.deletions.subscribe, session.deletions.list)
  const cells = useMemo(() => editedCells(edits), [edits])
  const leaving = useMemo(() => leavingKeys(list), [list])
  const changes = useMemo(() => tableChanges(session), [session])
  /** Opens the edits in the console. */
  const showStates = () => workRecordings(client).show(session.edits.job()?.recording)
  return {
    edits: { edits, cells, keep, write, latest, retry, cancel, showStates },
    /** `leaving`: keys of rows that are being deleted. */
    deletions: { list, leaving, order: changes.deleteRows, undo, retry: session.deletions.send },
    /** Writes cells and rows, with undo. */
    changes,
  }
}
