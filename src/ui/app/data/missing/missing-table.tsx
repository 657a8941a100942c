// The page for a missing table: its name, similar names, and next steps.
import { Link } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { Button } from '../../../widgets/button.tsx'
import { EmptyState } from '../../../widgets/state.tsx'
import { useTitle } from '../../hooks.ts'
import { PageHead } from '../../shell/page.tsx'
import { OpenTable, SchemaPicker } from '../schema-picker.tsx'
import { inSchema, useTables } from '../tables.tsx'
import styles from './missing.module.css'
import { nearestNames, splitSchema } from '../../../../services/workbench/table/index.ts'

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
  /** Requests the rows anyway. */
  readonly onAsk: () => void
  /** Content that is still available. */
  readonly children?: ReactNode
}

/** Reloads the list, which may be older than the table. */
export function MissingTable({ table, onAsk, children }: MissingTableProps) {
  const { tables, schema, phase, reload } = useTables()
  useTitle(table)
  useEffect(reload, [reload])
  const others = tables.filter(name => name !== table)
  const near = nearestNames(table, others)
  const inOther = splitSchema(table)
  return (
    <>
      <PageHead title={table} note="not found">
        {phase === 'refused' ? <OpenTable /> : null}
        <SchemaPicker />
      </PageHead>
      {children}
      <EmptyState
        icon={<SearchX size={22} aria-hidden />}
        title={`Table "${table}" not found`}
        action={
          <span className={styles.actions}>
            <Button
              onPress={() => {
                reload()
                onAsk()
              }}
            >
              Try anyway
            </Button>
          </span>
        }
      >
        The schema <code>{schema}</code> has no table of this name that your role can see. It may be renamed,
        dropped, or misspelled.
        {inOther === undefined ? null : (
          <Names title={`In the schema ${inOther.schema}?`} schema={inOther.schema} names={[inOther.table]} />
        )}
        <Names title="Did you mean" schema={schema} names={near} />
        <Names
          title={phase === 'known' ? 'All tables' : 'Recently opened'}
          schema={schema}
          names={others.filter(name => !near.includes(name))}
        />
      </EmptyState>
    </>
  )
}

/** The names come from the refusal. */
export function UnservedSchema() {
  const { schema, served, reload } = useTables()
  useTitle(schema)
  return (
    <>
      <PageHead title={schema} note="not exposed" />
      <EmptyState
        icon={<SearchX size={22} aria-hidden />}
        title={`The backend does not expose the schema ${schema}`}
        action={<Button onPress={reload}>Check again</Button>}
      >
        The backend's settings define which schemas are exposed. Tables in other schemas are not available.
        <nav aria-label="Exposed schemas" className={styles.names}>
          <span>Exposed schemas</span>
          <ul>
            {served.map(name => (
              <li key={name}>
                <Link to="/data" search={inSchema(name)} className={styles.name}>
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </EmptyState>
    </>
  )
}
