// The entries of a folder, or the loading, error, empty or no-match state.
import { Button } from '../../../widgets/button.tsx'
import { Notice } from '../../shell/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../widgets/state.tsx'
import { FileList, type FileListProps } from './file-list.tsx'
import styles from '../files.module.css'
import { EmptyFolder } from './folder-parts.tsx'
import type { RequestState } from '../../../react/index.ts'
import { explainFailure } from '../../../../services/workbench/rest/index.ts'
import type { Folder } from '../use-listing.ts'
import { formatCount } from '../../../../services/workbench/text/index.ts'

export interface FolderContentProps extends FileListProps {
  readonly folder: Pick<RequestState<Folder>, 'data' | 'failure'>
  /** More entries exist than load automatically. */
  readonly isCut: boolean
  readonly onReload: () => void
  readonly onMore: () => void
}

/** Loaded entries stay visible while the folder reloads. */
export function FolderContent({ folder, isCut, onReload, onMore, ...list }: FolderContentProps) {
  const { data, failure } = folder
  const failed = failure && explainFailure(failure).message
  if (data === undefined && failed === undefined) return <Skeleton label="Loading files" />
  if (data === undefined)
    return (
      <ErrorState title="Could not list the folder" action={<Button onPress={onReload}>Try again</Button>}>
        {failed}
      </ErrorState>
    )
  if (data.entries.length === 0 && data.isComplete)
    return <EmptyFolder bucket={list.bucket} path={list.path} />
  return (
    <>
      {failed === undefined ? null : (
        <div className={styles.stale}>
          <Notice tone="fail">
            Showing the cached folder. {failed}
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
          Showing the first {formatCount(data.entries.length)} entries; there are more.{' '}
          <Button size="s" onPress={onMore}>
            Load more
          </Button>
        </p>
      ) : null}
    </>
  )
}
