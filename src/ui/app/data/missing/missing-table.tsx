// What stands in the place of a table that is not there: its name, those like it, and the ways on.
import { Link } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { Button } from '../../../widgets/button.tsx'
import { EmptyState } from '../../../widgets/state.tsx'
import { useTitle } from '../../hooks.ts'
import { PageHead } from '../../shell/page.tsx'
import { OpenTable } from '../open-table.tsx'
import { SchemaPicker } from '../schema-picker.tsx'
import { inSchema, useTables } from '../tables.tsx'
import styles from './missing.module.css'
import { nearestNames, splitSchema } from './nearest-names.ts'

interface NamesProps {
  readonly title: string
  readonly schema: string
  readonly names: readonly string[]
}

function Names({ title, schema, names }: NamesProps) {
  if (names.length === 0) return null
  return (
    <nav aria-label={title} className={styles.names}>
      <span>{title}</span>
      <ul>
        {names.map(table => (
          <li key={table}>
            <Link to="/data/$table" params={{ table }} search={inSchema(schema)} className={styles.name}>
              {table}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

export interface MissingTableProps {
  readonly table: string
  /** Asks the backend for its rows all the same. */
  readonly onAsk: () => void
  /** What is still to be seen of it. */
  readonly children?: ReactNode
}

/** The list may be from before the table was made, so it is asked for anew. */
export function MissingTable({ table, onAsk, children }: MissingTableProps) {
  const { tables, schema, phase, reload } = useTables()
  useTitle(table)
  useEffect(reload, [reload])
  const others = tables.filter(name => name !== table)
  const near = nearestNames(table, others)
  const inOther = splitSchema(table)
  return (
    <>
      <PageHead title={table} note="not there">
        {phase === 'refused' ? <OpenTable /> : null}
        <SchemaPicker />
      </PageHead>
      {children}
      <EmptyState
        icon={<SearchX size={22} aria-hidden />}
        title={`There is no table ${table}`}
        action={
          <span className={styles.actions}>
            <Button
              onPress={() => {
                reload()
                onAsk()
              }}
            >
              Ask for it all the same
            </Button>
          </span>
        }
      >
        The schema <code>{schema}</code> has none of this name that your role may see. It may have been
        renamed or dropped, or its name is written in another way.
        {inOther === undefined ? null : (
          <Names title={`In the schema ${inOther.schema}?`} schema={inOther.schema} names={[inOther.table]} />
        )}
        <Names title="Did you mean" schema={schema} names={near} />
        <Names
          title={phase === 'known' ? 'All tables' : 'Opened before'}
          schema={schema}
          names={others.filter(name => !near.includes(name))}
        />
      </EmptyState>
    </>
  )
}
