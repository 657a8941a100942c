// Edits of the visible table, as its page sees them.
import { useCallback, useMemo, useSyncExternalStore } from 'react'
import { useClient } from '../../../react/index.ts'
import { workRecordings } from '../../work-recordings.ts'
import {
  type EditDecision,
  type EditedCell,
  editedCells,
  type Edits,
  type Row,
  rowKey,
  type TableInfo,
  type TableSession,
  type Values,
} from '../../../../services/workbench/table/index.ts'

export interface TableEdits {
  readonly edits: Edits
  readonly cells: ReadonlyMap<string, ReadonlyMap<string, EditedCell>>
  /** Keeps input that was unsaved when the page closed: the user decides later. */
  readonly keep: (row: Row, values: Values) => void
  /** Writes a form's row; a new row when `row` is undefined. */
  readonly write: (row: Row | undefined, values: Values) => Promise<EditDecision>
  /** A row including the user's writes since it was read. */
  readonly latest: (row: Row) => Row
  readonly retry: (id: number) => void
  readonly cancel: (id: number) => void
  /** Opens the edits in the console. */
  readonly showStates: () => void
}

const LEFT = {
  message: 'You left the page while typing this. Retry to save it, or discard it.',
  retry: false,
}

/** Replaces the key of a row that does not exist yet. */
const NEW = 'new'
const NOTHING: Row = {}

/** Edits, and the functions that create them. */
export const useEdits = ({ edits: store }: TableSession, info: TableInfo): TableEdits => {
  const client = useClient()
  const edits = useSyncExternalStore(store.subscribe, store.edits)
  const { make, latest, retry, cancel } = store
  const write = useCallback(
    (row: Row | undefined, values: Values) =>
      store.write(
        { key: row === undefined ? NEW : (rowKey(info, row) ?? ''), row: row ?? NOTHING, values },
        row === undefined,
      ),
    [store, info],
  )
  const keep = useCallback(
    (row: Row, values: Values) => {
      const key = rowKey(info, row)
      if (key !== undefined) make({ key, row, values, failure: LEFT })
    },
    [info, make],
  )
  const showStates = useCallback(() => workRecordings(client).show(store.job()?.recording), [client, store])
  const cells = useMemo(() => editedCells(edits), [edits])
  return { edits, cells, keep, write, latest, retry, cancel, showStates }
}
