// The entries of a folder: open, choose one or many, and what can be done with them; only what is seen is rendered.
import { ArrowDown, ArrowUp, Download, Ellipsis, File as FileIcon, Folder, Trash2 } from 'lucide-react'
import { useMemo } from 'react'
import {
  Cell,
  Checkbox,
  Column,
  Menu,
  MenuItem,
  MenuTrigger,
  Popover,
  Row,
  Table,
  TableBody,
  TableHeader,
  TableLayout,
  VisuallyHidden,
  Virtualizer,
  type Selection,
} from 'react-aria-components'
import { useStatus } from '../../react.ts'
import { IconButton } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import menu from '../../widgets/menu.module.css'
import { toLocalTime } from '../data/draft.ts'
import { formatSize } from '../format.ts'
import styles from './list.module.css'
import type { FileEntry, FileSort, SortColumn } from './listing.ts'

/** What can be done with one entry. */
export type FileAction = 'open' | 'download' | 'rename' | 'move' | 'copy' | 'delete'

export interface FileListProps {
  readonly bucket: string
  readonly entries: readonly FileEntry[]
  readonly sort: FileSort
  readonly onSort: (sort: FileSort) => void
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (names: ReadonlySet<string>) => void
  /** There is no room for more than names and sizes. */
  readonly isNarrow: boolean
  readonly onAction: (action: FileAction, entry: FileEntry) => void
}

interface Head {
  readonly id: SortColumn | '·choice' | '·actions'
  readonly title: string
  readonly width: number | '1fr'
}

const HEADS: readonly Head[] = [
  { id: '·choice', title: 'Chosen', width: 40 },
  { id: 'name', title: 'name', width: '1fr' },
  { id: 'size', title: 'size', width: 96 },
  { id: 'type', title: 'type', width: 150 },
  { id: 'changed', title: 'changed', width: 160 },
  { id: '·actions', title: 'Actions', width: 104 },
]
const WIDE_ONLY = new Set<Head['id']>(['type', 'changed'])

const ARIA = { asc: 'ascending', desc: 'descending' } as const
const LAYOUT = { rowHeight: 30, headingHeight: 30 }

const MORE: readonly (readonly [FileAction, string])[] = [
  ['rename', 'Rename…'],
  ['move', 'Move…'],
  ['copy', 'Copy…'],
]

function Tick({ label }: { readonly label?: string }) {
  return (
    <Checkbox
      slot="selection"
      className={cx(styles.tick)}
      {...(label === undefined ? {} : { 'aria-label': label })}
    >
      {({ isSelected, isIndeterminate }) => (
        <span className={styles.box} aria-hidden>
          {isIndeterminate ? '–' : isSelected ? '✓' : ''}
        </span>
      )}
    </Checkbox>
  )
}

function HeadCell({ head, sort }: { readonly head: Head; readonly sort: FileSort }) {
  const { id, title, width } = head
  const isSorted = sort.by === id
  return (
    <Column
      id={id}
      isRowHeader={id === 'name'}
      allowsSorting={!id.startsWith('·')}
      width={width}
      {...(width === '1fr' && { minWidth: 120 })}
      className={cx(styles.headCell)}
    >
      {id === '·choice' ? (
        <Tick />
      ) : id === '·actions' ? (
        <VisuallyHidden>{title}</VisuallyHidden>
      ) : (
        <span className={styles.headText}>
          {title}
          {!isSorted ? null : sort.dir === 'asc' ? (
            <ArrowUp size={12} aria-hidden />
          ) : (
            <ArrowDown size={12} aria-hidden />
          )}
        </span>
      )}
    </Column>
  )
}

interface ActionsProps {
  readonly entry: FileEntry
  readonly onAction: FileListProps['onAction']
}

function RowActions({ entry, onAction }: ActionsProps) {
  const { name } = entry
  return (
    <span className={styles.rowActions}>
      {entry.isFolder ? null : (
        <IconButton size="s" noTooltip label={`Download ${name}`} onPress={() => onAction('download', entry)}>
          <Download size={14} />
        </IconButton>
      )}
      <IconButton size="s" noTooltip label={`Delete ${name}`} onPress={() => onAction('delete', entry)}>
        <Trash2 size={14} />
      </IconButton>
      <MenuTrigger>
        <IconButton size="s" noTooltip label={`More for ${name}`}>
          <Ellipsis size={14} />
        </IconButton>
        <Popover placement="bottom end" className={cx(menu.menu)}>
          <Menu
            aria-label={`More for ${name}`}
            className={cx(menu.items)}
            onAction={key => {
              const action = MORE.find(([id]) => id === key)?.[0]
              if (action) onAction(action, entry)
            }}
          >
            {MORE.map(([id, title]) => (
              <MenuItem key={id} id={id} className={cx(menu.item)}>
                {title}
              </MenuItem>
            ))}
          </Menu>
        </Popover>
      </MenuTrigger>
    </span>
  )
}

function NameCell({ entry, me }: { readonly entry: FileEntry; readonly me: string | undefined }) {
  const Icon = entry.isFolder ? Folder : FileIcon
  return (
    <span className={styles.name}>
      <Icon size={15} aria-hidden />
      {entry.name === me ? (
        <span title={entry.name}>your folder</span>
      ) : (
        <span className={styles.fileName} title={entry.name} dir="auto">
          {entry.name}
        </span>
      )}
    </span>
  )
}

function valueOf(id: Head['id'], entry: FileEntry): string {
  if (id === 'size') return entry.size === undefined ? '' : formatSize(entry.size)
  if (id === 'type') return entry.type ?? ''
  return entry.changedAt === undefined ? '' : toLocalTime(entry.changedAt).replace('T', ' ')
}

/** Enter opens, Space chooses, Shift with the arrows chooses several, Mod+A all. */
export function FileList(props: FileListProps) {
  const { bucket, entries, sort, onSort, chosen, onChoose, isNarrow, onAction } = props
  const me = useStatus(({ session }) => (session.phase === 'authenticated' ? session.user.id : undefined))
  const heads = isNarrow ? HEADS.filter(({ id }) => !WIDE_ONLY.has(id)) : HEADS
  const items = useMemo(() => entries.map(entry => ({ ...entry, id: entry.name })), [entries])
  const choose = (keys: Selection) =>
    onChoose(new Set(keys === 'all' ? entries.map(({ name }) => name) : [...keys].map(String)))
  return (
    <Virtualizer layout={TableLayout} layoutOptions={LAYOUT}>
      <Table
        aria-label={`Files in ${bucket}`}
        className={cx(styles.grid)}
        selectionMode="multiple"
        selectedKeys={chosen}
        onSelectionChange={choose}
        sortDescriptor={{ column: sort.by, direction: ARIA[sort.dir] }}
        onSortChange={({ column, direction }) =>
          onSort({ by: column as SortColumn, dir: direction === 'ascending' ? 'asc' : 'desc' })
        }
        onRowAction={name => {
          const entry = entries.find(each => each.name === name)
          if (entry !== undefined) onAction('open', entry)
        }}
      >
        <TableHeader className={cx(styles.header)} columns={heads} dependencies={[sort]}>
          {head => <HeadCell head={head} sort={sort} />}
        </TableHeader>
        <TableBody items={items} dependencies={[me, heads, onAction]}>
          {entry => (
            <Row id={entry.id} columns={heads} className={cx(styles.row)} textValue={entry.name}>
              {({ id }) => (
                <Cell className={cx(styles.cell, id === '·actions' && styles.actionCell)}>
                  {id === '·choice' ? (
                    <Tick label={`Choose ${entry.name}`} />
                  ) : id === 'name' ? (
                    <NameCell entry={entry} me={me} />
                  ) : id === '·actions' ? (
                    <RowActions entry={entry} onAction={onAction} />
                  ) : (
                    valueOf(id, entry)
                  )}
                </Cell>
              )}
            </Row>
          )}
        </TableBody>
      </Table>
    </Virtualizer>
  )
}
