// A new row inside the grid: a line below the header with a field per column, kept until it is added.
import { X } from 'lucide-react'
import { useEffect, useRef, type KeyboardEvent, type ReactNode, useState } from 'react'
import { cx } from '../../widgets/cx.ts'
import { CellValue, type SeenColumn } from './grid/grid-rows.tsx'
import {
  absence,
  type Cell,
  type Column,
  type LaidColumn,
  mayBeOmitted,
  type Values,
} from '../../../services/workbench/table/index.ts'
import { FormCellEditor } from './editors/form-cell-editor.tsx'
import grid from './grid/grid.module.css'
import type { AfterEdit, DraftPlace } from './grid/grid-types.ts'
import styles from './draft-row.module.css'
import { useRowForm, type RowFormOptions } from './use-row-form.ts'

const isTyped = (event: KeyboardEvent) =>
  event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey && event.key !== ' '

function Shown({
  column,
  cell,
  me,
}: {
  readonly column: Column
  readonly cell: Cell | undefined
  readonly me: string | undefined
}) {
  return cell === undefined ? (
    <span className={styles.absent}>{absence({ column, isNew: true, cell })}</span>
  ) : (
    <CellValue column={column} value={cell} me={me} />
  )
}

interface DraftCellProps {
  readonly seen: SeenColumn
  readonly cells: DraftCells
  readonly me: string | undefined
}

function DraftCell({ seen, cells, me }: DraftCellProps) {
  const { column, index, width, left, isPinned } = seen
  const { form, at, typed, isEditing } = cells
  const isHere = at === index
  const cell = column.generation === undefined ? form.draft[column.name] : undefined
  const error = form.errors[column.name]
  const button = useRef<HTMLButtonElement>(null)
  const takesFocus = isHere && !isEditing
  useEffect(() => {
    if (takesFocus) button.current?.focus({ preventScroll: true })
  }, [takesFocus])
  return (
    <div
      role="gridcell"
      aria-colindex={index + 2}
      className={cx(grid.cell, isPinned && grid.pinned, error !== undefined && grid.failed)}
      style={isPinned ? { width, left } : { width, marginLeft: left }}
      title={error}
    >
      <button
        ref={button}
        type="button"
        className={styles.cell}
        tabIndex={isHere ? 0 : -1}
        onFocus={() => cells.goTo(index)}
        onMouseDown={event => {
          // Focus may scroll the cell into view, and the pointer would be released over another one.
          event.preventDefault()
          cells.edit(index)
        }}
        onClick={() => cells.edit(index)}
        onKeyDown={event => {
          if (isTyped(event)) {
            event.preventDefault()
            cells.edit(index, event.key)
          } else cells.press(event)
        }}
      >
        <span className={grid.hidden}>
          {column.name} of the new row{error === undefined ? '' : ` (${error})`}:{' '}
        </span>
        <span className={grid.value} dir="auto">
          <Shown column={column} cell={cell} me={me} />
        </span>
      </button>
      {isHere && isEditing ? (
        <FormCellEditor
          column={column}
          row={{}}
          cell={cell ?? null}
          typed={typed}
          error={undefined}
          onCommit={(next: Cell, after: AfterEdit, also?: Values) => cells.commit(column, next, after, also)}
          onLeft={left => form.change(column.name, left)}
          onCancel={() => cells.cancel()}
        />
      ) : null}
    </div>
  )
}

/** Shows why the row cannot be added, above the rows. */
function Problems({ errors }: { readonly errors: Readonly<Record<string, string>> }) {
  const all = Object.entries(errors)
  if (all.length === 0) return null
  return (
    <div role="gridcell" className={styles.problems}>
      <p role="alert" className={styles.problem}>
        {all.map(([name, message]) => (name === '' ? message : `${name}: ${message}`)).join(' ')}
      </p>
    </div>
  )
}

export interface DraftRowProps extends DraftRowOptions {
  readonly place: DraftPlace
  readonly me: string | undefined
}

/** Stays below the header while rows scroll. Ctrl+Enter adds the row, Escape closes the draft. */
export function DraftRow({ place, me, ...options }: DraftRowProps): ReactNode {
  const { seen, width, columns, reveal } = place
  const cells = useDraftCells(options, columns, reveal)
  const { form, add, close } = cells
  return (
    <div role="rowgroup" className={styles.draft} style={{ width }} data-editor="">
      <div role="row" aria-label="New row" className={styles.row}>
        <div role="gridcell" aria-colindex={1} className={cx(grid.gutter, styles.mark)}>
          +
        </div>
        {seen.map(each => (
          <DraftCell key={each.column.name} seen={each} cells={cells} me={me} />
        ))}
        <div role="gridcell" aria-colindex={columns.length + 2} className={cx(grid.actionCell, styles.ends)}>
          <span className={grid.rowActions}>
            <button
              type="button"
              className={styles.add}
              aria-label="Add this row"
              title="Add this row (Ctrl+Enter)"
              aria-disabled={form.isPending}
              onClick={add}
            >
              Add
            </button>
            <button
              type="button"
              className={styles.close}
              aria-label="Close draft"
              title="Close draft (Esc)"
              onClick={close}
            >
              <X size={14} aria-hidden />
            </button>
          </span>
        </div>
        <Problems errors={form.errors} />
      </div>
    </div>
  )
}

type DraftRowOptions = Omit<RowFormOptions, 'row'>

const MOVES: Readonly<Record<AfterEdit, number>> = { stay: 0, right: 1, down: 1, left: -1, up: -1 }

/** What a key does in a cell that is not open. */
const stepOf = ({ key }: KeyboardEvent, at: number, last: number): number | undefined => {
  switch (key) {
    case 'ArrowRight':
      return Math.min(last, at + 1)
    case 'ArrowLeft':
      return Math.max(0, at - 1)
    case 'Home':
      return 0
    case 'End':
      return last
    default:
      return undefined
  }
}

interface DraftCells {
  readonly form: ReturnType<typeof useRowForm>
  readonly at: number
  readonly isEditing: boolean
  readonly typed: string | undefined
  readonly goTo: (index: number) => void
  readonly edit: (index: number, typed?: string) => void
  readonly commit: (column: Column, cell: Cell, after: AfterEdit, also?: Values) => void
  readonly cancel: () => void
  readonly press: (event: KeyboardEvent) => void
  readonly add: () => void
  readonly close: () => void
}

/** Whether a new row may have a value in the column. */
const isFillable = ({ generation, lacks, related }: Column): boolean =>
  generation === undefined && related === undefined && lacks?.includes('insert') !== true

/** The first editable cell. */
const firstOf = (columns: readonly LaidColumn[]) =>
  Math.max(
    0,
    columns.findIndex(({ column }) => !((column.isKey && mayBeOmitted(column)) || !isFillable(column))),
  )

/** Cells of the inline draft row: the cursor, the open editor, and keys. */
const useDraftCells = (
  options: DraftRowOptions,
  columns: readonly LaidColumn[],
  reveal: (column: number) => void,
): DraftCells => {
  const form = useRowForm({
    ...options,
    onDone: () => {
      options.onDone()
      form.clear()
      goTo(firstOf(columns))
    },
    // The next row reuses the same line.
    onClose: () => undefined,
  })
  const [at, setAt] = useState(() => firstOf(columns))
  const [open, setOpen] = useState<{ readonly typed?: string }>()
  const goTo = (index: number) => {
    if (index === at) return
    setAt(index)
    setOpen(undefined)
    reveal(index)
  }
  const put = (cell: Cell | undefined) => {
    const column = columns[at]?.column
    if (column !== undefined) form.change(column.name, cell)
  }
  const acts: Readonly<Record<string, (event: KeyboardEvent) => void>> = {
    Enter: event => (event.ctrlKey || event.metaKey ? form.submit() : setOpen({})),
    F2: () => setOpen({}),
    Escape: () => options.onClose(),
    Backspace: () => put(undefined),
    Delete: () => put(columns[at]?.column.required === true ? undefined : null),
  }
  return {
    form,
    at,
    isEditing: open !== undefined && columns[at] !== undefined && isFillable(columns[at].column),
    typed: open?.typed,
    goTo,
    edit: (index, typed) => {
      goTo(index)
      if (columns[index] !== undefined && !isFillable(columns[index].column)) return
      setOpen(typed === undefined ? {} : { typed })
    },
    commit: (column, cell, after, also) => {
      setOpen(undefined)
      // Only passing through a cell sets nothing.
      if (cell !== null || form.draft[column.name] !== undefined) form.change(column.name, cell, also)
      goTo(Math.max(0, Math.min(columns.length - 1, at + MOVES[after])))
    },
    cancel: () => setOpen(undefined),
    press: event => {
      const to = stepOf(event, at, columns.length - 1)
      const act = acts[event.key]
      if (to === undefined && act === undefined) return
      event.preventDefault()
      event.stopPropagation()
      if (to !== undefined) goTo(to)
      act?.(event)
    },
    add: form.submit,
    close: options.onClose,
  }
}
