// Cells of the inline draft row: the cursor, the open editor, and keys.
import { useState, type KeyboardEvent } from 'react'
import type { Cell, Column, LaidColumn, Values } from '../../../services/workbench/table/index.ts'
import type { AfterEdit } from './grid/grid-types.ts'
import { useRowForm, type RowFormOptions } from './use-row-form.ts'

export type DraftRowOptions = Omit<RowFormOptions, 'row'>

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

export interface DraftCells {
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

/** The first editable cell. */
const firstOf = (columns: readonly LaidColumn[]) =>
  Math.max(
    0,
    columns.findIndex(({ column }) => !((column.isKey && column.hasDefault) || column.made !== undefined)),
  )

export const useDraftCells = (
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
    isEditing: open !== undefined && columns[at]?.column.made === undefined,
    typed: open?.typed,
    goTo,
    edit: (index, typed) => {
      goTo(index)
      if (columns[index]?.column.made !== undefined) return
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
