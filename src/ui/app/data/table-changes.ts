// Undoable changes of a table, and the notices that say what was saved.
import {
  type CellsEntry,
  type HistoryEntry,
  type HistoryOutcome,
  type ImportUndo,
  type Plan,
  type Row,
  type RowChange,
  type TableSession,
  type WriteOutcome,
  writeOutcome,
} from '../../../services/workbench/table/index.ts'
import { plural } from '../../../services/workbench/text/index.ts'
import { notify, type Notice } from '../shell/notify.ts'

type NoticeAction = NonNullable<Notice['action']>

const lowered = (title: string) => title.charAt(0).toLowerCase() + title.slice(1)

const LATE = {
  import: 'The rows were already deleted. Import the file again.',
  deletion: 'Deleted rows can’t be restored after the deletion was sent.',
  cells: 'The change was never saved, so there is nothing to undo.',
} as const

/** The rows of a change that was not saved in full; undefined if it was. */
const shortfall = ({ rows, failed, waiting }: WriteOutcome): Pick<Notice, 'title' | 'detail'> | undefined => {
  if (failed + waiting === 0) return undefined
  const not = [
    ...(failed === 0 ? [] : [`${plural(failed, 'row')} not saved: see “Unsaved changes”.`]),
    ...(waiting === 0 ? [] : [`${plural(waiting, 'row')} not saved yet: saving is retried automatically.`]),
  ]
  const saved = rows - failed - waiting
  const title = saved === 0 ? 'Nothing was saved' : `Saved ${saved} of ${plural(rows, 'row')}`
  return { title, detail: not.join(' ') }
}

/** Undoable changes, and their notices. */
export const tableChanges = ({ history, deleteRows, importing, edits }: TableSession) => {
  let close = () => undefined as void
  let stopWatching = () => undefined as void
  const clear = () => {
    stopWatching()
    close()
  }
  const show = (notice: Notice) => {
    clear()
    close = notify(notice)
  }
  /** Calls back once the server has answered for all rows of the change, unless a later notice replaces this one. */
  const whenAnswered = (changes: readonly RowChange[], report: (outcome: WriteOutcome) => void) => {
    clear()
    const look = () => {
      const outcome = writeOutcome(changes, edits.edits())
      if (outcome.pending > 0) return
      stopWatching()
      report(outcome)
    }
    const stop = edits.subscribe(look)
    stopWatching = () => {
      stop()
      stopWatching = () => undefined
    }
    look()
  }
  /** For one change; the next change replaces it. */
  const undoOf = (entry: HistoryEntry): NoticeAction => ({
    label: 'Undo',
    run: () => (history.isLast(entry) ? undo() : undefined),
  })
  /** Shows what was saved of a change, with an action. */
  const showSaved = (
    { title, changes }: Pick<CellsEntry, 'title' | 'changes'>,
    action: NoticeAction,
    skipped?: string,
  ) =>
    whenAnswered(changes, outcome => {
      const less = shortfall(outcome)
      const detail = [less?.detail, skipped].filter(text => text !== undefined).join(' ')
      show({
        tone: less === undefined ? 'ok' : 'info',
        title: less?.title ?? title,
        ...(detail === '' ? {} : { detail }),
        action,
      })
    })
  const announce = (done: 'Undone' | 'Redone', outcome: HistoryOutcome) => {
    if (outcome.type === 'empty')
      return show({ title: done === 'Undone' ? 'Nothing to undo' : 'Nothing to redo' })
    const { entry } = outcome
    const title = `${done}: ${lowered(entry.title)}`
    if (outcome.type === 'late') return show({ title: `Not ${lowered(title)}`, detail: LATE[entry.kind] })
    // A deletion has its own notice.
    if (entry.kind === (done === 'Redone' ? 'deletion' : 'import')) return clear()
    const action = done === 'Redone' ? undoOf(entry) : { label: 'Redo', run: redo }
    if (entry.kind === 'cells') return showSaved({ title, changes: entry.changes }, action)
    return show({ tone: 'ok', title, action })
  }
  /** Shows why nothing was changed. */
  const skip = (reason: string) => show({ title: 'Nothing was changed', detail: reason })
  const undo = (id?: number) => announce('Undone', history.undo(id))
  const redo = () => announce('Redone', history.redo())
  return {
    /** Writes a plan, then shows what was saved with Undo, or what was skipped and why. */
    run: ({ title, changes, skipped }: Pick<Plan, 'title' | 'changes' | 'skipped'>) => {
      const entry = history.change(title, changes)
      const detail = skipped.length === 0 ? undefined : `Skipped: ${skipped.join(', ')}.`
      if (entry !== undefined) return showSaved({ title, changes }, undoOf(entry), detail)
      skip(detail ?? 'The cells already have these values.')
    },
    skip,
    /** Writes without a notice. */
    change: (title: string, changes: readonly RowChange[]) => {
      if (history.change(title, changes) !== undefined) clear()
    },
    /** Adds what a form has written. */
    written: (title: string, changes: readonly RowChange[]) => {
      if (changes.length === 0) return
      history.written(title, changes)
      clear()
    },
    deleteRows: (rows: readonly Row[]) => {
      if (deleteRows(rows)) clear()
    },
    undo: () => undo(),
    redo,
    /** Prepares undo of an import. */
    importUndo: (): ImportUndo | undefined => {
      const started = importing()
      return (
        started && {
          returning: started.returning,
          onEnded: added => {
            const entry = started.ended(added)
            return entry && (() => undo(entry.id))
          },
        }
      )
    },
  }
}
