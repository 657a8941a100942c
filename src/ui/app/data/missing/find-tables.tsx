// Looks for the tables of a backend that lists none: progress, and what was found so far.
import { useNavigate } from '@tanstack/react-router'
import { useSelector } from '@xstate/react'
import { useEffect, useState } from 'react'
import { startTableSearch, type TableSearch } from '../../../../services/workbench/schema/index.ts'
import { plural } from '../../../../services/workbench/text/index.ts'
import { useClient } from '../../../react/index.ts'
import { Button } from '../../../widgets/button.tsx'
import { Progress } from '../../../widgets/progress.tsx'
import { Notice } from '../../shell/page.tsx'
import { workRecordings } from '../../work-recordings.ts'
import { inSchema, useTables } from '../tables.tsx'
import styles from './table-ways.module.css'

interface FindTablesProps {
  /** Called when a table of the search was opened or added. */
  readonly onDone?: () => void
}

/** Starts on request, as it sends several dozen requests. */
export function FindTables({ onDone }: FindTablesProps) {
  const client = useClient()
  const { schema, tables } = useTables()
  const [search, setSearch] = useState<TableSearch>()
  useEffect(() => () => void search?.actor.stop(), [search])
  const start = () => {
    const started = startTableSearch(client, schema, tables)
    workRecordings(client).add('Search for tables', { ...started, isPage: true })
    setSearch(started)
  }
  if (search === undefined)
    return (
      <Button variant="primary" onPress={start}>
        Look for tables
      </Button>
    )
  return <Search key={search.actor.sessionId} {...{ search, onDone, onRestart: start }} />
}

interface SearchProps {
  readonly search: TableSearch
  readonly onDone: (() => void) | undefined
  readonly onRestart: () => void
}

function Search({ search: { actor }, onDone, onRestart }: SearchProps) {
  const { context, value } = useSelector(actor, snapshot => snapshot)
  const { asked, queued, tables, message } = context
  const isAsking = value === 'asking'
  return (
    <div className={styles.search}>
      <Progress
        label={isAsking ? 'Looking for tables' : OUTCOMES[value]}
        share={asked / Math.max(queued.length, 1)}
        text={`${asked} of ${plural(queued.length, 'name')} · ${plural(tables.length, 'table')}`}
        tone={isAsking ? 'going' : 'held'}
      />
      {value === 'stopped' && message !== undefined ? <Notice tone="fail">{message}</Notice> : null}
      {value === 'complete' && tables.length === 0 ? (
        <p>No table has a name like the usual ones, or none is exposed to you. Open one by its name.</p>
      ) : null}
      <Names names={tables} isComplete={!isAsking} onDone={onDone} />
      {isAsking ? (
        <Button size="s" onPress={() => actor.send({ type: 'search.cancel' })}>
          Stop
        </Button>
      ) : (
        <Button
          size="s"
          onPress={() => (value === 'complete' ? onRestart() : actor.send({ type: 'search.retry' }))}
        >
          {value === 'complete' ? 'Look again' : 'Continue'}
        </Button>
      )}
    </div>
  )
}

const OUTCOMES = {
  deciding: 'Looking for tables',
  asking: 'Looking for tables',
  complete: 'Search complete',
  stopped: 'The backend did not answer',
  canceled: 'Search stopped',
} as const

interface NamesProps {
  readonly names: readonly string[]
  readonly isComplete: boolean
  readonly onDone: (() => void) | undefined
}

function Names({ names, isComplete, onDone }: NamesProps) {
  const { remember, schema } = useTables()
  const navigate = useNavigate()
  if (names.length === 0) return null
  const open = (table: string) => {
    remember(table)
    onDone?.()
    void navigate({ to: '/data/$table', params: { table }, search: inSchema(schema) })
  }
  const addAll = () => {
    names.forEach(remember)
    onDone?.()
  }
  return (
    <>
      <ul className={styles.found} aria-label="Tables that exist">
        {names.map(name => (
          <li key={name}>
            <Button size="s" onPress={() => open(name)}>
              <code>{name}</code>
            </Button>
          </li>
        ))}
      </ul>
      {isComplete ? (
        <Button variant="primary" onPress={addAll}>
          Add {names.length === 1 ? 'it' : `all ${names.length}`} to the table list
        </Button>
      ) : null}
    </>
  )
}
