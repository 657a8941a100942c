// The entries of a folder, or what stands in their place: loading, failed, empty, nothing found.
import { Button } from '../../../widgets/button.tsx'
import { Notice } from '../../shell/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../widgets/state.tsx'
import { FileList, type FileListProps } from './file-list.tsx'
import styles from '../files.module.css'
import { EmptyFolder } from './folder-parts.tsx'
import type { Folder, Loaded } from '../use-listing.ts'
import { formatCount } from '../../format.ts'

export interface FolderContentProps extends FileListProps {
  readonly path: string
  readonly folder: Loaded<Folder>
  /** More are there than were loaded unasked. */
  readonly isCut: boolean
  readonly onReload: () => void
  readonly onMore: () => void
}

/** What was loaded stays while it is loaded anew. */
export function FolderContent({ path, folder, isCut, onReload, onMore, ...list }: FolderContentProps) {
  if (folder.phase === 'loading') return <Skeleton label="Loading files" />
  if (folder.phase === 'failed')
    return (
      <ErrorState
        title="The folder could not be listed"
        action={<Button onPress={onReload}>Try again</Button>}
      >
        {folder.failure.message}
      </ErrorState>
    )
  if (folder.value.entries.length === 0 && folder.value.isComplete)
    return <EmptyFolder bucket={list.bucket} path={path} />
  return (
    <>
      {folder.failure === undefined ? null : (
        <div className={styles.stale}>
          <Notice tone="fail">
            This is the folder as it was. {folder.failure.message}
            <Button size="s" onPress={onReload}>
              Try again
            </Button>
          </Notice>
        </div>
      )}
      <div className={styles.list}>
        {list.entries.length === 0 ? (
          <EmptyState title="No name here holds that">
            Look in another folder, or for less of the name.
          </EmptyState>
        ) : (
          <FileList {...list} />
        )}
      </div>
      {isCut ? (
        <p className={styles.cut}>
          The first {formatCount(folder.value.entries.length)} entries are here; there are more.{' '}
          <Button size="s" onPress={onMore}>
            Load more
          </Button>
        </p>
      ) : null}
    </>
  )
}
