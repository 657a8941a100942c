// The structure of a table: its columns with types, keys, defaults and comments.
import { Link } from '@tanstack/react-router'
import { KeyRound, Link2 } from 'lucide-react'
import { allColumns, type Column, type TableInfo } from '../../../services/workbench/table/index.ts'
import styles from './structure.module.css'
import { inSchema } from './tables.tsx'

export interface StructureTableProps {
  readonly info: TableInfo
  readonly schema: string
  /** Called when a link to another table is followed. */
  readonly onLeave?: () => void
}

/** What the server does without a value. */
function defaultText({ generation, defaultValue, hasDefault, isDefaultUnknown, required }: Column): string {
  if (generation !== undefined) return generation === 'identity' ? 'identity, always' : 'generated'
  if (defaultValue !== undefined) return defaultValue === '' ? "''" : defaultValue
  if (hasDefault) return 'by the server'
  if (isDefaultUnknown) return 'not described'
  return required ? '' : 'null'
}

const LACKING = { select: 'read', insert: 'insert', update: 'update' } as const

/** What the role may not do with the column, though it may with others. */
const limitsOf = ({ lacks = [] }: Column): string =>
  lacks.length === 0 ? '' : `no privilege to ${lacks.map(right => LACKING[right]).join(' or ')}`

function KeyMarks({
  column: { isKey, references },
  schema,
  onLeave,
}: Omit<StructureTableProps, 'info'> & { readonly column: Column }) {
  return (
    <>
      {isKey ? (
        <span className={styles.mark}>
          <KeyRound size={12} aria-hidden /> primary key
        </span>
      ) : null}
      {references === undefined ? null : (
        <span className={styles.mark}>
          <Link2 size={12} aria-hidden />
          <Link
            to="/data/$table"
            params={{ table: references.table }}
            search={inSchema(schema)}
            onClick={() => onLeave?.()}
          >
            {references.table}.{references.column}
          </Link>
        </span>
      )}
    </>
  )
}

/** A column per line. */
export function StructureTable({ info, schema, ...rest }: StructureTableProps) {
  if (info.columns.length === 0)
    return (
      <p className={styles.note}>
        The backend does not describe the columns, and there is no row that shows them.
      </p>
    )
  return (
    <>
      <table className={styles.table} aria-label={`Columns of ${info.name}`}>
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col">Type</th>
            <th scope="col">Null</th>
            <th scope="col">Default</th>
            <th scope="col">Key</th>
            <th scope="col">Comment</th>
          </tr>
        </thead>
        <tbody>
          {allColumns(info).map(column => (
            <tr key={column.name}>
              <th scope="row">{column.name}</th>
              <td>
                <code>{column.format}</code>
                {column.options === undefined ? null : (
                  <span className={styles.options}> {column.options.join(', ')}</span>
                )}
              </td>
              <td>{column.required ? 'no' : 'yes'}</td>
              <td>
                <code>{defaultText(column)}</code>
              </td>
              <td>
                <KeyMarks column={column} schema={schema} {...rest} />
              </td>
              <td className={styles.comment}>
                {[column.note, limitsOf(column)].filter(Boolean).join(' · ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {info.isKnown ? null : (
        <p className={styles.note}>Types are guessed from rows: the backend does not describe them.</p>
      )}
    </>
  )
}
