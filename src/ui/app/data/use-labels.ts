// Labels of a table's foreign keys, read for the loaded rows while its page is open.
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { useClient } from '../../react/index.ts'
import {
  type Column,
  type Labels,
  labelSources,
  LabelStore,
  type Pages,
  type TableName,
} from '../../../services/workbench/table/index.ts'
import { useTables } from './tables.tsx'

export interface KeyLabels {
  /** Whether the table has foreign keys with labels, shown or not. */
  readonly areThere: boolean
  /** Labels by column; empty while they are turned off. */
  readonly byColumn: ReadonlyMap<string, Labels>
}

const NONE: KeyLabels['byColumn'] = new Map()

export const useLabels = (
  { schema, table }: TableName,
  columns: readonly Column[],
  { rows }: Pick<Pages, 'rows'>,
  isOn: boolean,
): KeyLabels => {
  const client = useClient()
  const { infos } = useTables()
  const sources = useMemo(
    () => labelSources(columns, name => infos.find(info => info.name === name)),
    [columns, infos],
  )
  const store = useMemo(() => new LabelStore(client, { schema, table }), [client, schema, table])
  useEffect(() => store.open(), [store])
  const labels = useSyncExternalStore(store.subscribe, store.labels)
  useEffect(() => {
    if (isOn && sources.length > 0) store.watch(sources, [...rows.values()].flat())
  }, [store, isOn, sources, rows])
  return useMemo(
    () => ({ areThere: sources.length > 0, byColumn: isOn ? labels : NONE }),
    [sources, isOn, labels],
  )
}
