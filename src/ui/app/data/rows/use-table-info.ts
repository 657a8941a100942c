// What is known of a table: from the backend or guessed from rows, plus what was learned since.
import { useMemo, useSyncExternalStore } from 'react'
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
import { usePageRequest } from '../../use-page-request.ts'
import { useTables } from '../tables.tsx'

const NONE: readonly Composite[] = []

/** Verifies composite references with the backend; most tables have no candidates. */
const useComposites = (info: TableInfo | undefined, schema: string): readonly Composite[] => {
  const client = useClient()
  const { infos } = useTables()
  const maybe = useMemo(() => (info === undefined ? NONE : compositesIn(info, infos)), [info, infos])
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
