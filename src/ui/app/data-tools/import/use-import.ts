// State of the import dialog: reads the chosen file, and checks its rows in pieces.
import { useEffect, useReducer, useRef, useState } from 'react'
import { useClient } from '../../../react/index.ts'
import { createSlices } from '../../../../services/runtime/index.ts'
import { keepByClient, userOf } from '../../../../services/workbench/storage/index.ts'
import {
  type Column,
  type EmptyMeans,
  IMPORT_START,
  importReducer,
  type ImportState,
  type Mapping,
  readFile,
  type ReadRows,
  readRows,
  type Source,
  type TableInfo,
  type TableQuery,
} from '../../../../services/workbench/table/index.ts'

const messageOf = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : 'The file could not be read.'

interface Begun {
  state: ImportState
  pasted: string
}

/** Per user and table, in memory: a dialog closed by a lost session is restored when it opens again. */
const begun = keepByClient<Begun>()

/** The steps before the start. */
export function useImport({ schema, table }: Pick<TableQuery, 'schema' | 'table'>, info: TableInfo) {
  const client = useClient()
  const [kept] = useState(() =>
    begun.of(client, `${userOf(client)} ${schema}.${table}`, () => ({ state: IMPORT_START, pasted: '' })),
  )
  const [state, dispatch] = useReducer(importReducer, kept.state)
  const [pasted, setPasted] = useState(kept.pasted)
  useEffect(() => {
    Object.assign(kept, { state, pasted } satisfies Begun)
  }, [kept, state, pasted])
  const latest = useRef(info)
  useEffect(() => {
    latest.current = info
  })
  const file = state.step === 'reading' ? state.file : undefined
  const delimiter = state.step === 'reading' ? state.delimiter : undefined
  useEffect(() => {
    if (file === undefined) return
    const leaving = new AbortController()
    const { signal } = leaving
    const onProgress = (share: number) => dispatch({ type: 'file.progressed', share })
    readFile(file, { signal, onProgress, ...(delimiter && { delimiter }) }).then(
      rows => {
        if (!signal.aborted) dispatch({ type: 'file.read', rows, info: latest.current })
      },
      (error: unknown) => {
        if (!signal.aborted) dispatch({ type: 'file.failed', message: messageOf(error) })
      },
    )
    return () => leaving.abort()
  }, [file, delimiter])
  return { state, dispatch, pasted, setPasted }
}

export interface Checked extends ReadRows {
  /** Rows checked so far. */
  readonly looked: number
  readonly isDone: boolean
}

const NOTHING: Checked = { ready: [], problems: [], bad: [], looked: 0, isDone: false }
/** Rows that take a few milliseconds at most. */
const PIECE = 500

/** The check results for all rows of a file; checked again when an option changes. */
export function useChecked(
  source: Source,
  columns: readonly Column[],
  mapping: Mapping,
  empty: EmptyMeans,
): Checked {
  const [checked, setChecked] = useState(NOTHING)
  useEffect(() => {
    let isLeft = false
    const pause = createSlices()
    const ready: ReadRows['ready'][number][] = []
    const problems: ReadRows['problems'][number][] = []
    const bad: ReadRows['bad'][number][] = []
    const check = async () => {
      let looked = 0
      do {
        const read = readRows(source.rows.slice(looked, looked + PIECE), {
          kind: source.kind,
          columns,
          mapping,
          empty,
        })
        for (const row of read.ready) ready.push(row)
        for (const problem of read.problems) problems.push(problem)
        for (const row of read.bad) bad.push(row)
        looked = Math.min(looked + PIECE, source.rows.length)
        const isDone = looked === source.rows.length
        const turn = pause()
        if (turn || isDone) setChecked({ ready, problems, bad, looked, isDone })
        await turn
      } while (!isLeft && looked < source.rows.length)
    }
    void check()
    return () => {
      isLeft = true
    }
  }, [source, columns, mapping, empty])
  return checked
}
