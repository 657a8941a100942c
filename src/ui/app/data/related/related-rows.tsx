// The rows that a row refers to, and those that refer to it, below its details.
import { Link } from '@tanstack/react-router'
import { ArrowUpRight, ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import {
  type Cell,
  type ForeignKey,
  type IncomingKey,
  keysFrom,
  keysTo,
  readReferring,
  type ReferringRows,
  referredFilters,
  referringFilters,
} from '../../../../services/workbench/table/index.ts'
import { plural } from '../../../../services/workbench/text/index.ts'
import { useClient } from '../../../react/index.ts'
import { Button } from '../../../widgets/button.tsx'
import { Spinner } from '../../../widgets/spinner.tsx'
import { inSchema, useTables } from '../tables.tsx'
import { usePageRequest } from '../../use-page-request.ts'
import type { TableModel } from '../use-table.ts'
import styles from './related.module.css'

export interface RelatedRowsProps {
  readonly table: TableModel
  /** The cells of the row, as saved by the server. */
  readonly cellIn: (column: string) => Cell
}

const names = (columns: readonly string[]) => columns.join(', ')

export function RelatedRows({ table, cellIn }: RelatedRowsProps) {
  const { schema, schemas } = useTables()
  const { info } = table.pages
  const outgoing = keysFrom(info)
  const incoming = keysTo({ schema, table: info.name }, schemas)
  return (
    <>
      {outgoing.length === 0 ? null : (
        <section aria-label="Refers to" className={styles.section}>
          <h3 className={styles.head}>Refers to</h3>
          <ul className={styles.keys}>
            {outgoing.map(key => (
              <Referred key={JSON.stringify(key)} of={key} table={table} cellIn={cellIn} />
            ))}
          </ul>
        </section>
      )}
      {incoming.length === 0 ? null : (
        <section aria-label="Referring rows" className={styles.section}>
          <h3 className={styles.head}>Referring rows</h3>
          <ul className={styles.keys}>
            {incoming.map(of => (
              <Referring key={JSON.stringify([of.schema, of.info.name, of.key])} of={of} cellIn={cellIn} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function Referred({ of, table, cellIn }: RelatedRowsProps & { readonly of: ForeignKey }) {
  const { schema } = useTables()
  const filters = referredFilters(of, cellIn)
  const cells = of.pairs.map(({ ours }) => cellIn(ours) ?? 'null')
  const [pair, ...furtherPairs] = of.pairs
  const label =
    pair === undefined || furtherPairs.length > 0
      ? undefined
      : table.labels.byColumn.get(pair.ours)?.get(cellIn(pair.ours) ?? '')
  const name = of.schema === undefined ? of.table : `${of.schema}.${of.table}`
  return (
    <li className={styles.key}>
      <span className={styles.by}>{names(of.pairs.map(({ ours }) => ours))}</span>
      {filters === undefined ? (
        <span className={styles.none}>no row of {name}</span>
      ) : (
        <Link
          to="/data/$table"
          params={{ table: of.table }}
          search={{ ...inSchema(of.schema ?? schema), filter: [...filters] }}
          className={styles.link}
        >
          <span className={styles.text}>
            {name} {cells.join(' · ')}
            {label === undefined ? null : ` ${label}`}
          </span>
          <ArrowUpRight size={12} aria-hidden />
        </Link>
      )}
    </li>
  )
}

interface ReferringProps {
  readonly of: IncomingKey
  readonly cellIn: (column: string) => Cell
}

/** Asks for the rows when it is opened. */
function Referring({ of, cellIn }: ReferringProps) {
  const { schema: current } = useTables()
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const { info, key, schema } = of
  const name = schema === current ? info.name : `${schema}.${info.name}`
  const filters = referringFilters(key, cellIn)
  if (filters === undefined)
    return (
      <li className={styles.key}>
        <span className={styles.none}>No row of {name} can refer to a row without a key.</span>
      </li>
    )
  return (
    <li>
      <div className={styles.key}>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight size={13} aria-hidden className={styles.chevron} />
          <span className={styles.text}>{name}</span>
          <span className={styles.by}>by {names(key.pairs.map(({ ours }) => ours))}</span>
        </button>
        <Link
          to="/data/$table"
          params={{ table: info.name }}
          search={{ ...inSchema(schema), filter: [...filters] }}
          className={styles.link}
          aria-label={`Open ${name} by ${names(key.pairs.map(({ ours }) => ours))}`}
        >
          Open <ArrowUpRight size={12} aria-hidden />
        </Link>
      </div>
      <div id={id} hidden={!isOpen}>
        {isOpen ? <FirstRows of={of} cellIn={cellIn} /> : null}
      </div>
    </li>
  )
}

const countText = ({ count, isExact }: ReferringRows): string => {
  if (count === 0) return 'No rows that you can see'
  return isExact ? plural(count, 'row') : `At least ${plural(count, 'row')}`
}

function FirstRows({ of, cellIn }: ReferringProps) {
  const client = useClient()
  const { info, key, schema } = of
  const cells = key.pairs.map(({ theirs }) => cellIn(theirs))
  const { data, failure, reload } = usePageRequest(
    ['referring', schema, info.name, key, cells],
    (_data, signal) => readReferring(client, of, cellIn, signal),
  )
  if (data === undefined)
    return failure === undefined ? (
      <p className={styles.note} role="status">
        <Spinner /> Reading the rows…
      </p>
    ) : (
      <Failed message="The rows could not be read." onRetry={reload} />
    )
  if (!data.ok) return <Failed message={data.failure.message} onRetry={reload} />
  const { rows, count } = data.value
  return (
    <>
      <p className={styles.note} role="status">
        {countText(data.value)}
        {count > rows.length ? `, the first ${rows.length}:` : ''}
      </p>
      <ul className={styles.rows}>
        {rows.map(row => (
          <li key={row.key}>
            {row.filters === undefined ? (
              <span className={styles.text}>{row.title || row.key}</span>
            ) : (
              <Link
                to="/data/$table"
                params={{ table: info.name }}
                search={{ ...inSchema(schema), filter: [...row.filters] }}
                className={styles.row}
              >
                <span className={styles.code}>{row.key}</span> {row.title}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}

function Failed({ message, onRetry }: { readonly message: string; readonly onRetry: () => void }) {
  return (
    <p className={styles.note} role="alert">
      {message}{' '}
      <Button size="s" onPress={onRetry}>
        Try again
      </Button>
    </p>
  )
}
