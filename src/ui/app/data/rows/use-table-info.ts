// What is known of a table: from the backend or guessed from rows, plus what was learned since.
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useClient } from '../../../react/index.ts'
import {
  askFor,
  type Composite,
  compositesIn,
  guessTable,
  isReferring,
  madeStoreOf,
  type Row,
  type TableInfo,
  withComposites,
  withMade,
} from '../../../../services/workbench/table/index.ts'
import { callRest } from '../../../../services/workbench/rest/index.ts'
import { useTables } from '../tables.tsx'

const NONE: readonly Composite[] = []

/** Verifies composite references with the backend; most tables have no candidates. */
const useComposites = (info: TableInfo | undefined, schema: string): readonly Composite[] => {
  const client = useClient()
  const { infos } = useTables()
  const [found, setFound] = useState({ of: NONE, list: NONE })
  const maybe = useMemo(() => (info === undefined ? NONE : compositesIn(info, infos)), [info, infos])
  useEffect(() => {
    if (info === undefined || maybe.length === 0) return
    const left = new AbortController()
    const ask = async (one: Composite) => {
      const read = askFor(info, one, schema)
      const answer = await callRest(client, { method: 'GET', ...read, isLow: true, signal: left.signal })
      return answer.ok && isReferring(answer.rows) ? [one] : []
    }
    Promise.all(maybe.map(ask)).then(
      all => setFound({ of: maybe, list: all.flat() }),
      () => undefined,
    )
    return () => left.abort()
  }, [client, info, maybe, schema])
  return found.of === maybe ? found.list : NONE
}

/** Keeps the object's identity while its content is unchanged. */
export const useTableInfo = (
  name: string,
  schema: string,
  known: TableInfo | undefined,
  first: readonly Row[] | undefined,
): TableInfo => {
  const client = useClient()
  const store = madeStoreOf(client)
  const made = useSyncExternalStore(store.subscribe, store.all)
  const composites = useComposites(known, schema)
  return useMemo(
    () => withComposites(withMade(known ?? guessTable(name, first ?? []), schema, made), composites),
    [known, name, schema, first, made, composites],
  )
}
