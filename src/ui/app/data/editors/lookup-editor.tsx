// The editor of foreign keys: rows of the other table, found by what one types.
import { useEffect, useState } from 'react'
import { ListBox, ListBoxItem } from 'react-aria-components'
import { useClient } from '../../../react.ts'
import { cx } from '../../../widgets/cx.ts'
import type { Cell } from '../cells/cell-text.ts'
import { cellOf } from '../cells/cell-text.ts'
import { callRest } from '../rest.ts'
import { valueText, type Column, type Reference, type Row, type TableInfo } from '../schema.ts'
import { quoteName } from '../table-query.ts'
import type { CellEditorProps } from '../grid/grid-types.ts'
import { useTables } from '../tables.tsx'
import { EditorPopover, focusNow } from './editor-popover.tsx'
import styles from './editors.module.css'
import { usePopoverDraft } from './use-popover-draft.ts'

const MOST_FOUND = 30
/** While somebody types, nothing is asked. */
const TYPING_MS = 180

/** The column that tells people which row it is. */
const titleColumn = (info: TableInfo | undefined, key: string): Column | undefined => {
  const texts = info?.columns.filter(column => column.type === 'text' && column.name !== key) ?? []
  return texts.find(column => /name|title|label|email|code/i.test(column.name)) ?? texts[0]
}

/** The conditions that find rows by a text: in their title, or as the key itself. */
const lookupConditions = (
  text: string,
  key: Pick<Column, 'name' | 'type'>,
  title: Pick<Column, 'name'> | undefined,
): readonly (readonly [string, string])[] => {
  const wanted = text.trim()
  if (wanted === '') return []
  const quoted = `"*${wanted.replaceAll(/["\\]/g, character => `\\${character}`)}*"`
  const isKey = key.type === 'integer' ? /^-?\d{1,18}$/.test(wanted) : key.type === 'text'
  const terms = [
    ...(title === undefined ? [] : [`${quoteName(title.name)}.ilike.${quoted}`]),
    ...(isKey
      ? [`${quoteName(key.name)}.${key.type === 'integer' ? `eq.${wanted}` : `ilike.${quoted}`}`]
      : []),
  ]
  return terms.length === 0 ? [] : [['or', `(${terms.join(',')})`]]
}

type Found =
  | { readonly phase: 'loading' | 'found'; readonly rows: readonly Row[] }
  | { readonly phase: 'failed'; readonly message: string }

const useLookup = ({ table, column }: Reference, text: string) => {
  const client = useClient()
  const tables = useTables()
  const info = tables.info(table)
  const { schema } = tables
  const [found, setFound] = useState<Found>({ phase: 'loading', rows: [] })
  const key = info?.columns.find(each => each.name === column)
  const title = titleColumn(info, column)
  const names = [`${quoteName(column)}::text`, ...(title === undefined ? [] : [quoteName(title.name)])].join(
    ',',
  )
  const conditions = JSON.stringify(
    lookupConditions(text, { name: column, type: key?.type ?? 'text' }, title),
  )
  const order = quoteName(title?.name ?? column)
  useEffect(() => {
    const left = new AbortController()
    const ask = async () => {
      const answer = await callRest(client, {
        method: 'GET',
        path: `/${encodeURIComponent(table)}`,
        query: [
          ['select', names],
          ...(JSON.parse(conditions) as (readonly [string, string])[]),
          ['order', `${order}.asc`],
          ['limit', String(MOST_FOUND)],
        ],
        headers: schema === 'public' ? {} : { 'Accept-Profile': schema },
        signal: left.signal,
      })
      if (left.signal.aborted) return
      setFound(
        answer.ok
          ? { phase: 'found', rows: answer.rows }
          : { phase: 'failed', message: answer.failure.message },
      )
    }
    const timer = setTimeout(() => void ask().catch(() => undefined), TYPING_MS)
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [client, schema, table, names, conditions, order])
  return { found, title, key: key ?? { name: column, type: 'text' as const } }
}

const keyText = (row: Row, name: string): Cell => {
  const value = row[name]
  return value === null || value === undefined ? null : valueText(value)
}

/** What is typed is looked for, and is itself the value where no row is chosen. */
export function LookupEditor(props: CellEditorProps & { readonly references: Reference }) {
  const { column, references, onCancel } = props
  const { text, setText, error, save, onNull, put } = usePopoverDraft(props)
  const [search, setSearch] = useState(props.typed ?? '')
  const { found, title, key } = useLookup(references, search)
  return (
    <EditorPopover column={column} error={error} onCancel={onCancel} onSave={save} onNull={onNull} isOneLine>
      <input
        ref={focusNow}
        className={styles.field}
        aria-label={column.name}
        value={text}
        spellCheck={false}
        placeholder={`Search ${references.table}, or its ${references.column}`}
        onChange={event => {
          setText(event.target.value)
          setSearch(event.target.value)
        }}
      />
      {found.phase === 'failed' ? (
        <p className={styles.note}>
          {references.table} could not be searched. {found.message}
        </p>
      ) : (
        <ListBox
          aria-label={`Rows of ${references.table}`}
          className={cx(styles.found)}
          selectionMode="single"
          onAction={id => put(String(id))}
          renderEmptyState={() => (
            <span className={styles.note}>{found.phase === 'loading' ? 'Searching…' : 'No such row.'}</span>
          )}
        >
          {found.rows.map(row => {
            const id = keyText(row, key.name) ?? ''
            const words = title === undefined ? '' : (cellOf(row, title) ?? '')
            return (
              <ListBoxItem key={id} id={id} textValue={`${id} ${words}`} className={cx(styles.option)}>
                <code>{id}</code> <span className={styles.optionText}>{words}</span>
              </ListBoxItem>
            )
          })}
        </ListBox>
      )}
    </EditorPopover>
  )
}
