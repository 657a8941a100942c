// One folder: its path, entries, open file and uploads.
import { useNavigate, useSearch, Link } from '@tanstack/react-router'
import { useCallback, useRef, useState } from 'react'
import { DropZone } from 'react-aria-components'
import { cx } from '../../../widgets/cx.ts'
import { TextField } from '../../../widgets/field.tsx'
import { useTitle } from '../../hooks.ts'
import { useTimeZone } from '../../time-zone.ts'
import { PageHead, Notice } from '../../shell/page.tsx'
import { NoBucket, useExistence } from '../buckets/no-bucket.tsx'
import { Crumbs, type FolderProps } from './crumbs.tsx'
import { droppedFiles } from '../uploads/dropped.ts'
import { FilePane } from '../file/file-pane.tsx'
import styles from '../files.module.css'
import { FolderContent } from './folder-content.tsx'
import { ChosenBar, Tools } from './folder-parts.tsx'
import {
  type Bucket,
  type FileEntry,
  folderFault,
  folderOf,
  joinPath,
  nameOf,
} from '../../../../services/workbench/files/index.ts'
import { UploadList } from '../uploads/upload-list.tsx'
import { useFileActions, type OpenDialog, useFileCommands } from './use-file-actions.ts'
import { MORE, useBuckets, useFolder } from '../use-listing.ts'
import { useFolderSizes } from './use-folder-sizes.ts'
import { useShown } from './use-shown.ts'
import { useAddUploads, useLeaveGuard, useStored, useUploads } from '../uploads/use-uploads.ts'
import { formatCount, plural } from '../../../../services/workbench/text/index.ts'
import { Button } from '../../../widgets/button.tsx'
import { FolderX } from 'lucide-react'
import { EmptyState } from '../../../widgets/state.tsx'
import { useMedia } from '../../../widgets/use-media.ts'
import { DeleteDialog } from '../jobs/delete-dialog.tsx'
import { MoveDialog, type Moved } from '../jobs/move-dialog.tsx'
import { NewFolderDialog } from './new-folder-dialog.tsx'
import type { Target } from '../jobs/use-job.ts'

const NARROW = '(max-width: 720px)'
/** Names have no room beside types and times. */
const FEW_COLUMNS = '(max-width: 960px)'

const NOTHING = { entries: [] as readonly FileEntry[], isComplete: false }
const LOADING = { data: undefined, failure: undefined }
const NO_BUCKETS: readonly Bucket[] = []

function noteOf(count: number, found: number, isComplete: boolean): string {
  const all = `${plural(count, 'entry', 'entries')}${isComplete ? '' : ' so far'}`
  return found === count ? all : `${formatCount(found)} of ${all}`
}

function Open({ bucket, path }: FolderProps) {
  const { file } = useSearch({ strict: false })
  const navigate = useNavigate()
  const buckets = useBuckets()
  const listed = buckets.data ?? NO_BUCKETS
  const known = listed.find(({ id }) => id === bucket)
  const isNarrow = useMedia(NARROW)
  const hasFewColumns = useMedia(FEW_COLUMNS)
  const [most, setMost] = useState(MORE)
  const folder = useFolder(bucket, path, most)
  const { reload } = folder
  const { uploads, list } = useUploads()
  const add = useAddUploads(bucket, path, known)
  const { dialog, setDialog, act, onAction } = useFileActions(bucket, path)
  const { entries, isComplete } = folder.data ?? NOTHING
  const existence = useExistence(bucket, isComplete && entries.length === 0, buckets)
  const view = useShown(entries)
  const folderSizes = useFolderSizes(bucket, path)
  const page = useRef<HTMLDivElement>(null)
  const upload = useCallback(
    () => page.current?.querySelector<HTMLInputElement>('input[type=file][multiple]')?.click(),
    [],
  )
  const onKeyDown = useFileCommands({
    bucket,
    path,
    chosen: view.chosen,
    act,
    open: setDialog,
    reload,
    upload,
  })
  useLeaveGuard(list)
  useStored(list, bucket, path, reload)
  const looked = entries.find(entry => entry.name === file && !entry.isFolder)
  const close = () =>
    void navigate({
      to: '/files/$bucket',
      params: { bucket },
      search: path === '' ? {} : { path },
      replace: true,
    })
  if (existence === 'missing') return <NoBucket bucket={bucket} others={listed} />
  return (
    <div ref={page} className={styles.page}>
      <PageHead
        title={<Crumbs bucket={bucket} path={path} />}
        note={folder.data ? noteOf(entries.length, view.shown.length, isComplete) : ''}
      >
        <TextField
          label="Find in this folder"
          hideLabel
          placeholder="Find in this folder"
          value={view.find}
          onChange={view.setFind}
        />
        <Tools
          bucket={bucket}
          path={path}
          onFiles={files => void add(files)}
          onNewFolder={() => setDialog({ kind: 'folder' })}
        />
      </PageHead>
      <UploadList list={list} uploads={uploads} />
      {isComplete && file !== undefined && looked === undefined ? (
        <GoneFile name={file} onClose={close} />
      ) : null}
      <ChosenBar chosen={view.chosen} onAct={act} onClear={view.clear} />
      <div className={styles.split}>
        <DropZone
          className={cx(styles.drop)}
          aria-label="Drop files here"
          onDrop={event => void droppedFiles(event.items).then(add)}
        >
          <div role="presentation" className={styles.content} onKeyDown={onKeyDown}>
            <FolderContent
              bucket={bucket}
              path={path}
              folder={existence === 'asking' ? LOADING : folder}
              isCut={!isComplete && entries.length >= most}
              onReload={reload}
              onMore={() => setMost(most + MORE)}
              entries={view.shown}
              sort={view.sort}
              onSort={view.setSort}
              chosen={view.chosenNames}
              onChoose={view.choose}
              looked={looked?.name}
              isNarrow={hasFewColumns || looked !== undefined}
              isTiny={isNarrow}
              folderSizes={folderSizes}
              onAction={onAction}
            />
          </div>
        </DropZone>
        {looked === undefined ? null : (
          <FilePane
            bucket={bucket}
            known={known}
            path={path}
            entry={looked}
            onAction={onAction}
            onClose={close}
          />
        )}
      </div>
      <FolderDialogs
        bucket={bucket}
        path={path}
        names={entries.map(({ name }) => name)}
        dialog={dialog}
        onChanged={reload}
        onClose={() => setDialog(undefined)}
      />
    </div>
  )
}

/** The folder of `bucket` in the URL; dropped files are uploaded into it. */
export function FolderView({ bucket }: { readonly bucket: string }) {
  const { path = '' } = useSearch({ strict: false })
  useTitle(bucket)
  useTimeZone()
  if (folderFault(path) !== undefined) return <NoFolder bucket={bucket} path={path} />
  return <Open key={path} bucket={bucket} path={path} />
}

/** Notice for a URL to a file that is not in its folder. */
function GoneFile({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  return (
    <div className={styles.stale}>
      <Notice>
        There is no file “{name}” in this folder: it was moved, renamed or deleted, or is not visible to you.{' '}
        <Button size="s" onPress={onClose}>
          Close
        </Button>
      </Notice>
    </div>
  )
}

/** The page for a folder name that no bucket can have. */
function NoFolder({ bucket, path }: { readonly bucket: string; readonly path: string }) {
  return (
    <EmptyState
      isPage
      icon={<FolderX size={22} aria-hidden />}
      title={`Invalid folder name “${path}”`}
      action={
        <Link to="/files/$bucket" params={{ bucket }} search={{}}>
          All of {bucket}
        </Link>
      }
    >
      A folder’s path consists of names separated by single slashes; “.” and “..” are not names.
    </EmptyState>
  )
}

interface FolderDialogsProps {
  readonly bucket: string
  readonly path: string
  readonly names: readonly string[]
  readonly dialog: OpenDialog | undefined
  readonly onChanged: () => void
  readonly onClose: () => void
}

/** Each dialog asks for its input and reports its result. */
function FolderDialogs({ bucket, path, names, dialog, onChanged, onClose }: FolderDialogsProps) {
  const navigate = useNavigate()
  const { file } = useSearch({ strict: false })
  const looked = file === undefined ? undefined : joinPath(path, file)
  const look = (name: string | undefined) => {
    const search = { ...(path !== '' && { path }), ...(name !== undefined && { file: name }) }
    void navigate({ to: '/files/$bucket', params: { bucket }, search, replace: true })
  }
  /** The open file stays open under its new name, and closes when it leaves the folder. */
  const follow = (gone: readonly Target[], moved?: Moved) => {
    onChanged()
    if (!gone.some(target => target.path === looked)) return
    look(moved && folderOf(moved.to) === path ? nameOf(moved.to) : undefined)
  }
  if (dialog === undefined) return null
  if (dialog.kind === 'folder')
    return (
      <NewFolderDialog
        bucket={bucket}
        path={path}
        names={names}
        onMade={made => {
          onChanged()
          void navigate({ to: '/files/$bucket', params: { bucket }, search: { path: made } })
        }}
        onClose={onClose}
      />
    )
  const shared = { bucket, targets: dialog.targets, onClose }
  return dialog.kind === 'delete' ? (
    <DeleteDialog {...shared} onChanged={() => follow(dialog.targets)} />
  ) : (
    <MoveDialog
      {...shared}
      onChanged={moved => follow(dialog.kind === 'copy' ? [] : dialog.targets, moved)}
      mode={dialog.kind}
    />
  )
}
