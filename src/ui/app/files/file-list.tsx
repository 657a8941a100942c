// The entries of a folder: open, download, delete.
import { useNavigate } from '@tanstack/react-router'
import { Download, File as FileIcon, Folder, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Cell, Column, Row, Table, TableBody, TableHeader, VisuallyHidden } from 'react-aria-components'
import { useStatus } from '../../react.ts'
import { Button, IconButton } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import { Dialog, DialogActions } from '../../widgets/dialog.tsx'
import { toLocalTime } from '../data/draft.ts'
import grid from '../data/data.module.css'
import { formatSize } from '../format.ts'
import styles from './files.module.css'
import { joinPath, type FileEntry } from './listing.ts'
import { useFileActions } from './use-file-actions.ts'

export interface FileListProps {
  readonly bucket: string
  readonly path: string
  readonly entries: readonly FileEntry[]
  readonly onChanged: () => void
}

function DeleteFile(props: {
  readonly name: string
  readonly onDelete: () => Promise<boolean>
  readonly onClose: () => void
}) {
  const [isPending, setPending] = useState(false)
  const remove = async () => {
    setPending(true)
    await props.onDelete()
    props.onClose()
  }
  return (
    <Dialog title="Delete this file?" role="alertdialog" isOpen onClose={props.onClose}>
      <p>
        <code>{props.name}</code> will be deleted for everyone. This can’t be undone.
      </p>
      <DialogActions>
        <Button onPress={props.onClose}>Keep it</Button>
        <Button variant="danger" isPending={isPending} onPress={() => void remove()}>
          Delete
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/** Enter opens a folder and downloads a file. */
export function FileList({ bucket, path, entries, onChanged }: FileListProps) {
  const navigate = useNavigate()
  const me = useStatus(({ session }) => (session.phase === 'authenticated' ? session.user.id : undefined))
  const { download, remove } = useFileActions(bucket, path)
  const [deleting, setDeleting] = useState<string>()
  const open = (entry: FileEntry) => {
    if (!entry.isFolder) return void download(entry.name)
    void navigate({ to: '/files/$bucket', params: { bucket }, search: { path: joinPath(path, entry.name) } })
  }
  return (
    <>
      <Table
        aria-label={`Files in ${bucket}`}
        className={cx(grid.grid)}
        onRowAction={name => {
          const entry = entries.find(each => each.name === name)
          if (entry !== undefined) open(entry)
        }}
      >
        <TableHeader className={cx(grid.header)}>
          <Column id="name" isRowHeader className={cx(grid.headCell)}>
            name
          </Column>
          <Column id="size" className={cx(grid.headCell, styles.narrow)}>
            size
          </Column>
          <Column id="type" className={cx(grid.headCell, styles.wide)}>
            type
          </Column>
          <Column id="changed" className={cx(grid.headCell, styles.wide)}>
            changed
          </Column>
          <Column id="actions" className={cx(grid.headCell, grid.actionCell)}>
            <VisuallyHidden>Actions</VisuallyHidden>
          </Column>
        </TableHeader>
        <TableBody items={entries.map(entry => ({ ...entry, id: entry.name }))} dependencies={[me]}>
          {entry => (
            <Row id={entry.name} className={cx(grid.row, styles.clickable)}>
              <Cell className={cx(grid.cell)}>
                <span className={styles.name}>
                  {entry.isFolder ? <Folder size={15} aria-hidden /> : <FileIcon size={15} aria-hidden />}
                  {entry.name === me ? (
                    <span title={entry.name}>your folder</span>
                  ) : (
                    <span className={styles.fileName}>{entry.name}</span>
                  )}
                </span>
              </Cell>
              <Cell className={cx(grid.cell, styles.narrow)}>
                {entry.size === undefined ? '' : formatSize(entry.size)}
              </Cell>
              <Cell className={cx(grid.cell, styles.wide)}>{entry.type ?? ''}</Cell>
              <Cell className={cx(grid.cell, styles.wide)}>
                {entry.changedAt === undefined ? '' : toLocalTime(entry.changedAt).replace('T', ' ')}
              </Cell>
              <Cell className={cx(grid.cell, grid.actionCell)}>
                {entry.isFolder ? null : (
                  <span className={grid.rowActions}>
                    <IconButton
                      size="s"
                      noTooltip
                      label={`Download ${entry.name}`}
                      onPress={() => void download(entry.name)}
                    >
                      <Download size={14} />
                    </IconButton>
                    <IconButton
                      size="s"
                      noTooltip
                      label={`Delete ${entry.name}`}
                      onPress={() => setDeleting(entry.name)}
                    >
                      <Trash2 size={14} />
                    </IconButton>
                  </span>
                )}
              </Cell>
            </Row>
          )}
        </TableBody>
      </Table>
      {deleting === undefined ? null : (
        <DeleteFile
          name={deleting}
          onDelete={async () => {
            const gone = await remove(deleting)
            if (gone) onChanged()
            return gone
          }}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </>
  )
}
