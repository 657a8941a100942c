// The list of tables: a filter, favorites, recently opened tables, and a group for each schema.
import { useNavigate, useParams } from '@tanstack/react-router'
import { useCallback, useEffect, useId, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import {
  type ListedTable,
  type ListRow,
  listRows,
  listSettingsOf,
  listTables,
  tableId,
} from '../../../../services/workbench/table-list/index.ts'
import { plural } from '../../../../services/workbench/text/index.ts'
import { useClient } from '../../../react/index.ts'
import { cx } from '../../../widgets/cx.ts'
import control from '../../../widgets/control.module.css'
import type { AppCommand } from '../../commands/app-command.ts'
import { useAppCommands, useAppKeyNotes } from '../../commands/use-app-commands.ts'
import { inSchema, useTables } from '../tables.tsx'
import { LIST_KEY_NOTES, type ListKeys, listKeys } from './list-keys.ts'
import { TableListRow } from './table-list-row.tsx'
import styles from './table-list.module.css'
import { useListWindow } from './use-list-window.ts'

/** Shorter lists need no filter. */
const WITHOUT_FILTER = 8

export interface TableListProps {
  /** In a dialog: lines are higher, and the filter takes the focus. */
  readonly isLarge?: boolean
  /** Called after a table was chosen. */
  readonly onOpened?: () => void
}

/** The rows of the list, and what is stored for it. */
const useList = (filter: string) => {
  const { tables: names, schema, infos, schemas } = useTables()
  const { table } = useParams({ strict: false })
  const store = listSettingsOf(useClient())
  const settings = useSyncExternalStore(store.subscribe, store.settings)
  const open = table === undefined ? undefined : tableId(schema, table)
  const tables = useMemo(() => {
    // Names that the user typed are of the schema in the URL, too.
    const byName = new Map([[schema, names.map(name => ({ name }))]])
    return listTables(infos.length > 0 ? schemas : byName)
  }, [names, schema, infos, schemas])
  const rows = useMemo(
    () => listRows({ ...settings, tables, schema, filter, open }),
    [settings, tables, schema, filter, open],
  )
  const isListed = open !== undefined && tables.some(({ id }) => id === open)
  useEffect(() => {
    if (isListed) store.visit(open)
  }, [store, open, isListed])
  return { tables, rows, open, store }
}

/**
 * The keys of the list are on the key sheet; the filter and the favorite are commands, too.
 * @param focusFilter `none` in a dialog, `favorite` without a filter
 */
const useListCommands = (
  focusFilter: 'none' | 'favorite' | (() => void),
  { open, tables, store }: Pick<ReturnType<typeof useList>, 'open' | 'tables' | 'store'>,
): void => {
  useAppKeyNotes(LIST_KEY_NOTES)
  const { favorites } = useSyncExternalStore(store.subscribe, store.settings)
  const table = tables.find(({ id }) => id === open)
  const isFavorite = table !== undefined && favorites.includes(table.id)
  const commands = useMemo((): readonly AppCommand[] => {
    if (focusFilter === 'none') return []
    const ofFilter =
      focusFilter === 'favorite'
        ? []
        : [
            {
              id: 'tables.filter',
              title: 'Filter tables',
              keys: ['/'],
              words: 'find search list',
              run: focusFilter,
            },
          ]
    const title = `${isFavorite ? 'Remove' : 'Add'} ${table?.name} ${isFavorite ? 'from' : 'to'} favorites`
    const ofTable =
      table === undefined
        ? []
        : [{ id: 'tables.favorite', title, words: 'star pin', run: () => store.toggleFavorite(table.id) }]
    return [...ofFilter, ...ofTable].map(command => ({ ...command, section: 'Data' }))
  }, [focusFilter, table, isFavorite, store])
  useAppCommands(commands)
}

/** Focus follows the keys: one row is a tab stop, and it is drawn wherever the list is scrolled to. */
export function TableList({ isLarge = false, onOpened }: TableListProps) {
  const [filter, setFilter] = useState('')
  const list = useList(filter)
  const { rows, open, tables, store } = list
  const navigate = useNavigate()
  const input = useRef<HTMLInputElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const listId = useId()
  const hasFilter = isLarge || tables.length > WITHOUT_FILTER
  const focusFilter = useCallback(() => {
    input.current?.focus()
    input.current?.select()
  }, [])
  useEffect(() => {
    // The dialog is for finding a table.
    if (isLarge) input.current?.focus()
  }, [isLarge])
  useListCommands(isLarge ? 'none' : hasFilter ? focusFilter : 'favorite', list)
  const { items, height, focusRow, active } = useListWindow({ rows, open, scroller, isLarge })
  const openTable = useCallback(
    ({ name, schema }: ListedTable) => {
      setFilter('')
      onOpened?.()
      void navigate({ to: '/data/$table', params: { table: name }, search: inSchema(schema) })
    },
    [navigate, onOpened],
  )
  const keys: ListKeys = {
    rows,
    filter,
    active,
    focusRow,
    focusFilter,
    openTable,
    clear: () => setFilter(''),
    toggleGroup: store.toggleGroup,
    toggleFavorite: store.toggleFavorite,
  }
  return (
    <div className={cx(styles.list, isLarge && styles.large)}>
      {hasFilter ? (
        <input
          ref={input}
          type="text"
          value={filter}
          placeholder="Filter tables"
          aria-label="Filter tables"
          aria-controls={listId}
          aria-keyshortcuts="/"
          autoComplete="off"
          spellCheck={false}
          className={cx(control.box, styles.filter)}
          onChange={event => setFilter(event.target.value)}
          onKeyDown={event => listKeys(event, keys, 'filter')}
        />
      ) : null}
      <div ref={scroller} className={styles.scroller}>
        <ul
          id={listId}
          aria-label="Tables"
          className={styles.rows}
          style={{ height }}
          hidden={rows.length === 0}
        >
          {items.map(({ index, row, start }) => (
            <TableListRow
              key={row.id}
              row={row}
              index={index}
              count={rows.length}
              start={start}
              isTabStop={active === index}
              isOpen={row.type === 'table' && row.table.id === open}
              onOpen={openTable}
              onGroup={store.toggleGroup}
              onFavorite={store.toggleFavorite}
              onKeyDown={event => listKeys(event, keys, 'row')}
            />
          ))}
        </ul>
      </div>
      <p role="status" className={cx(filter !== '' && rows.length === 0 ? styles.none : styles.hidden)}>
        {filter === '' ? null : foundText(rows)}
      </p>
    </div>
  )
}

const foundText = (rows: readonly ListRow[]): string =>
  rows.length === 0 ? 'No table matches' : plural(rows.length, 'table')
