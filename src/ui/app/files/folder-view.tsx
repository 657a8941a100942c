// One folder: where it is, what it holds, what is being uploaded into it.
import { Link, useSearch } from '@tanstack/react-router'
import { FolderOpen, Upload as UploadIcon } from 'lucide-react'
import { DropZone, FileTrigger } from 'react-aria-components'
import { useStatus } from '../../react.ts'
import { Button } from '../../widgets/button.tsx'
import { cx } from '../../widgets/cx.ts'
import { EmptyState, ErrorState, Skeleton } from '../../widgets/state.tsx'
import { useTitle } from '../hooks.ts'
import { PageHead } from '../shell/page.tsx'
import { FileList } from './file-list.tsx'
import styles from './files.module.css'
import { crumbs } from './listing.ts'
import { UploadList } from './upload-list.tsx'
import { useFolder } from './use-listing.ts'
import { useUploads } from './use-uploads.ts'

interface FolderProps {
  readonly bucket: string
  readonly path: string
}

function Crumbs({ bucket, path }: FolderProps) {
  const me = useStatus(({ session }) => (session.phase === 'authenticated' ? session.user.id : undefined))
  return (
    <span className={styles.crumbs}>
      <Link to="/files">Files</Link>
      <span aria-hidden>/</span>
      <Link to="/files/$bucket" params={{ bucket }} search={{}}>
        {bucket}
      </Link>
      {crumbs(path).map(crumb => (
        <span key={crumb.path} className={styles.crumb}>
          <span aria-hidden>/</span>
          <Link to="/files/$bucket" params={{ bucket }} search={{ path: crumb.path }} title={crumb.name}>
            {crumb.name === me ? 'you' : crumb.name}
          </Link>
        </span>
      ))}
    </span>
  )
}

/** The user's own folder by the usual rule, unless the path is in it already. */
const useOwnFolder = (path: string) => {
  const me = useStatus(({ session }) => (session.phase === 'authenticated' ? session.user.id : undefined))
  return path === me || path.startsWith(`${me}/`) ? undefined : me
}

function MyFolder({ bucket, path }: FolderProps) {
  const own = useOwnFolder(path)
  if (own === undefined) return null
  return (
    <Link to="/files/$bucket" params={{ bucket }} search={{ path: own }} className={styles.myFolder}>
      My folder
    </Link>
  )
}

function EmptyFolder({ bucket, path }: FolderProps) {
  const isElsewhere = useOwnFolder(path) !== undefined
  return (
    <EmptyState icon={<FolderOpen size={22} aria-hidden />} title="Nothing here that you may see">
      Drop files here or press Upload.{' '}
      {isElsewhere ? (
        <>
          Most buckets let you write under your own folder: <MyFolder bucket={bucket} path={path} />
        </>
      ) : null}
    </EmptyState>
  )
}

/** The folder of `bucket` that the address names; files dropped on it are uploaded into it. */
export function FolderView({ bucket }: { readonly bucket: string }) {
  const { path = '' } = useSearch({ strict: false })
  useTitle(bucket)
  const [folder, reload] = useFolder(bucket, path)
  const { uploads, add, clear } = useUploads(bucket, path, reload)
  const count =
    folder.phase === 'ready'
      ? `${folder.value.length} ${folder.value.length === 1 ? 'entry' : 'entries'}`
      : ''
  return (
    <>
      <PageHead title={<Crumbs bucket={bucket} path={path} />} note={count}>
        <MyFolder bucket={bucket} path={path} />
        <FileTrigger allowsMultiple onSelect={files => add([...(files ?? [])])}>
          <Button variant="primary" icon={<UploadIcon size={15} aria-hidden />}>
            Upload
          </Button>
        </FileTrigger>
      </PageHead>
      <UploadList uploads={uploads} onClear={clear} />
      <DropZone
        className={cx(styles.drop)}
        aria-label="Drop files here"
        onDrop={event => {
          const files = event.items.filter(item => item.kind === 'file').map(item => item.getFile())
          void Promise.all(files).then(add)
        }}
      >
        {folder.phase === 'loading' ? <Skeleton label="Loading files" /> : null}
        {folder.phase === 'failed' ? (
          <ErrorState
            title="The folder could not be listed"
            action={<Button onPress={reload}>Try again</Button>}
          >
            {folder.failure.message}
          </ErrorState>
        ) : null}
        {folder.phase === 'ready' && folder.value.length === 0 ? (
          <EmptyFolder bucket={bucket} path={path} />
        ) : null}
        {folder.phase === 'ready' && folder.value.length > 0 ? (
          <FileList bucket={bucket} path={path} entries={folder.value} onChanged={reload} />
        ) : null}
      </DropZone>
    </>
  )
}
