// The entries of a folder, or the loading, error, empty or no-match state.
import { Button } from '../../../widgets/button.tsx'
import { Notice } from '../../shell/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../widgets/state.tsx'
import { FileList, type FileListProps } from './file-list.tsx'
import styles from '../files.module.css'
import { EmptyFolder } from './folder-parts.tsx'
import type { Requested } from '../../use-request.ts'
import type { Folder } from '../use-listing.ts'
import { formatCount } from '../../../../services/workbench/text/index.ts'

export interface FolderContentProps extends FileListProps {
  readonly path: string
  readonly folder: Requested<Folder>
  /** More entries exist than load automatically. */
  readonly isCut: boolean
  readonly onReload: () => void
  readonly onMore: () => void
}

/** Loaded entries stay visible while the folder reloads. */
export function FolderContent({ path, folder, isCut, onReload, onMore, ...list }: FolderContentProps) {
  if (folder.phase === 'loading') return <Skeleton label="Loading files" />
  if (folder.phase === 'failed')
    return (
      <ErrorState title="Could not list the folder" action={<Button onPress={onReload}>Try again</Button>}>
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
            Showing the cached folder. {folder.failure.message}
            <Button size="s" onPress={onReload}>
              Try again
            </Button>
          </Notice>
        </div>
      )}
      <div className={styles.list}>
        {list.entries.length === 0 ? (
          <EmptyState title="No names match">Search another folder, or shorten the search.</EmptyState>
        ) : (
          <FileList {...list} />
        )}
      </div>
      {isCut ? (
        <p className={styles.cut}>
          Showing the first {formatCount(folder.value.entries.length)} entries; there are more.{' '}
          <Button size="s" onPress={onMore}>
            Load more
          </Button>
        </p>
      ) : null}
    </>
  )
}
