// Undoable changes of the visible table, and their notices.
import { useMemo } from 'react'
import { notify, type Notice } from '../../shell/notify.ts'
import type {
  HistoryEntry,
  HistoryOutcome,
  Plan,
  Row,
  RowChange,
  TableHistory,
  TableSession,
} from '../../../../services/workbench/table/index.ts'
import { deletionTitle } from './use-table-session.ts'

export interface TableChanges {
  /** Writes a plan and shows a notice with Undo, or with what was skipped and why. */
  readonly run: (plan: Pick<Plan, 'title' | 'changes' | 'skipped'>) => void
  /** Shows why nothing was changed. */
  readonly skip: (reason: string) => void
  /** Writes without a notice. */
  readonly change: (title: string, changes: readonly RowChange[]) => void
  /** Adds what a form has written. */
  readonly written: (title: string, changes: readonly RowChange[]) => void
  readonly deleteRows: (rows: ReadonlyMap<string, Row>) => void
  readonly undo: () => void
  readonly redo: () => void
}

const lowered = (title: string) => title.charAt(0).toLowerCase() + title.slice(1)

const LATE = {
  deletion: 'Deleted rows can’t be restored after the deletion was sent.',
  cells: 'The change was never saved, so there is nothing to undo.',
} as const

const tableChanges = (
  history: TableHistory,
  table: string,
  order: (rows: ReadonlyMap<string, Row>) => number,
): TableChanges => {
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
  const skip = (reason: string) => show({ title: 'Nothing was changed', detail: reason })
  const undo = () => announce('Undone', history.undo())
  const redo = () => announce('Redone', history.redo())
  return {
    run: ({ title, changes, skipped }) => {
      const entry = history.change(title, changes)
      const detail = skipped.length === 0 ? undefined : `Skipped: ${skipped.join(', ')}.`
      if (entry !== undefined) return withUndo(title, entry, detail)
      skip(detail ?? 'The cells already have these values.')
    },
    skip,
    change: (title, changes) => {
      if (history.change(title, changes) !== undefined) close()
    },
    written: (title, changes) => {
      if (changes.length === 0) return
      history.written(title, changes)
      close()
    },
    deleteRows: rows => {
      history.deleted(deletionTitle(rows.size, table), rows, order(rows))
      close()
    },
    undo,
    redo,
  }
}

/** The changes of a session, as its page makes them. */
export const useHistory = ({ history, order }: TableSession, table: string): TableChanges =>
  useMemo(() => tableChanges(history, table, order), [history, table, order])
