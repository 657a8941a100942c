// The entries of a folder: open, select, and act on them; virtualized.
import { ArrowDown, ArrowUp, File as FileIcon, Folder } from 'lucide-react'
import { createContext, use, useMemo } from 'react'
import {
  Button,
  Cell,
  Column,
  Row,
  Table,
  TableBody,
  TableHeader,
  TableLayout,
  VisuallyHidden,
  Virtualizer,
  type Selection,
} from 'react-aria-components'
import { useStatus } from '../../../react/index.ts'
import { RowCheck } from '../../../widgets/check.tsx'
import { cx } from '../../../widgets/cx.ts'
import styles from './list.module.css'
import {
  type FileEntry,
  type FileSort,
  type FolderSize,
  joinPath,
  type SortColumn,
} from '../../../../services/workbench/files/index.ts'
import { RowActions, type FileAction } from './row-actions.tsx'
import { isPicture, Thumbnail } from './thumbnail.tsx'
import type { FolderSizes } from './use-folder-sizes.ts'
import { formatCount, plural, formatSize, formatDateTime } from '../../../../services/workbench/text/index.ts'

export interface FileListProps {
  readonly bucket: string
  readonly path: string
  readonly entries: readonly FileEntry[]
  readonly sort: FileSort
  readonly onSort: (sort: FileSort) => void
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (names: ReadonlySet<string>) => void
  /** The file in the open pane. */
  readonly looked: string | undefined
  /** Only room for names and sizes. */
  readonly isNarrow: boolean
  /** Little room even for names. */
  readonly isTiny: boolean
  readonly folderSizes: FolderSizes
  readonly onAction: (action: FileAction, entry: FileEntry) => void
}

interface Head {
  readonly id: SortColumn | '·choice' | '·actions'
  readonly title: string
  readonly width: number | '1fr' | '4fr'
  /** If the width is flexible; otherwise both are the width. */
  readonly minWidth?: number
  readonly maxWidth?: number
}

const HEADS: readonly Head[] = [
  { id: '·choice', title: 'Selected', width: 40 },
  { id: 'name', title: 'name', width: '4fr', minWidth: 120, maxWidth: 460 },
  { id: 'size', title: 'size', width: 96 },
  { id: 'type', title: 'type', width: 190 },
  { id: 'changed', title: 'modified', width: 184 },
  { id: '·actions', title: 'Actions', width: '1fr', minWidth: 104 },
]
const WIDE_ONLY = new Set<Head['id']>(['type', 'changed'])

const NARROW = HEADS.filter(({ id }) => !WIDE_ONLY.has(id))
const TINY_WIDTHS: Partial<Record<Head['id'], number>> = { size: 82, '·actions': 44 }
const TINY = NARROW.map(head => ({ ...head, width: TINY_WIDTHS[head.id] ?? head.width }))

const ARIA = { asc: 'ascending', desc: 'descending' } as const
const LAYOUT = { rowHeight: 30, headingHeight: 30 }

function HeadCell({ head, sort }: { readonly head: Head; readonly sort: FileSort }) {
  const { id, title, width, minWidth = null, maxWidth = null } = head
  const isSorted = sort.by === id
  return (
    <Column
      id={id}
      isRowHeader={id === 'name'}
      allowsSorting={!id.startsWith('·')}
      width={width}
      {...(typeof width === 'number' ? { minWidth: width } : { minWidth, maxWidth })}
      className={cx(styles.headCell)}
    >
      {id === '·choice' ? (
        <RowCheck />
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

interface NameCellProps {
  readonly bucket: string
  readonly path: string
  readonly entry: FileEntry
  readonly me: string | undefined
}

function NameCell({ bucket, path, entry, me }: NameCellProps) {
  const Icon = entry.isFolder ? Folder : FileIcon
  return (
    <span className={styles.name}>
      {isPicture(entry) ? (
        <Thumbnail bucket={bucket} path={joinPath(path, entry.name)} entry={entry} />
      ) : (
        <Icon size={15} aria-hidden />
      )}
      {entry.name === me ? (
        <span title={entry.name}>My files</span>
      ) : (
        <span className={styles.fileName} title={entry.name} dir="auto">
          {entry.name}
        </span>
      )}
    </span>
  )
}

const sizeTitle = ({ files, unsized, isWhole }: FolderSize): string =>
  [
    isWhole ? `${plural(files, 'file')}.` : `More than ${plural(files, 'file')}; the rest was not counted.`,
    ...(unsized > 0 ? [`The size of ${formatCount(unsized)} is unknown.`] : []),
    'Count again',
  ].join(' ')

/** A context, because the virtualized table keeps cells whose entry did not change. */
const SizesContext = createContext<FolderSizes>({ sizes: new Map(), count: () => undefined })

/** A folder's size is counted on request, and then again. */
function SizeCell({ name }: { readonly name: string }) {
  const { sizes, count: onCount } = use(SizesContext)
  const size = sizes.get(name)
  if (size === 'counting') return <span className={styles.fileName}>counting…</span>
  const isLeast = size !== undefined && (!size.isWhole || size.unsized > 0)
  const text = size === undefined ? 'Count' : `${isLeast ? '≥ ' : ''}${formatSize(size.bytes)}`
  const about = size === undefined ? 'Count the size of this folder' : sizeTitle(size)
  return (
    <span title={about}>
      <Button
        className={cx(styles.count, size === undefined && styles.uncounted)}
        aria-label={size === undefined ? `Count size of ${name}` : `${text}: ${about} ${name}`}
        onPress={() => onCount(name)}
      >
        {text}
      </Button>
    </span>
  )
}

function valueOf(id: Head['id'], entry: FileEntry): string {
  if (id === 'size') return entry.size === undefined ? '' : formatSize(entry.size)
  if (id === 'type') return entry.type ?? ''
  return entry.changedAt === undefined ? '' : formatDateTime(entry.changedAt)
}

/** Enter opens, Space selects, Shift+arrows extend the selection, Mod+A selects all. */
export function FileList(props: FileListProps) {
  const {
    bucket,
    path,
    folderSizes,
    entries,
    sort,
    onSort,
    chosen,
    onChoose,
    looked,
    isNarrow,
    isTiny,
    onAction,
  } = props
  const me = useStatus(({ session }) => (session.phase === 'authenticated' ? session.user.id : undefined))
  const heads = isTiny ? TINY : isNarrow ? NARROW : HEADS
  const items = useMemo(() => entries.map(entry => ({ ...entry, id: entry.name })), [entries])
  const choose = (keys: Selection) =>
    onChoose(new Set(keys === 'all' ? entries.map(({ name }) => name) : [...keys].map(String)))
  return (
    <SizesContext value={folderSizes}>
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
          <TableBody className={cx(styles.body)} items={items} dependencies={[me, heads, onAction, looked]}>
            {entry => (
              <Row
                id={entry.id}
                columns={heads}
                className={cx(styles.row, entry.id === looked && styles.looked)}
                textValue={entry.name}
              >
                {({ id }) => (
                  <Cell className={cx(styles.cell, id === '·actions' && styles.actionCell)}>
                    {id === '·choice' ? (
                      <RowCheck label={`Select ${entry.name}`} />
                    ) : id === 'name' ? (
                      <NameCell bucket={bucket} path={path} entry={entry} me={me} />
                    ) : id === 'size' && entry.isFolder ? (
                      <SizeCell name={entry.name} />
                    ) : id === '·actions' ? (
                      <RowActions entry={entry} isTiny={isTiny} onAction={onAction} />
                    ) : (
                      <span className={styles.fileName}>{valueOf(id, entry)}</span>
                    )}
                  </Cell>
                )}
              </Row>
            )}
          </TableBody>
        </Table>
      </Virtualizer>
    </SizesContext>
  )
}
