// The Files section: buckets, and the folder in the URL.
import { Navigate, useParams, useSearch } from '@tanstack/react-router'
import { Button } from '../../widgets/button.tsx'
import { ErrorState, Skeleton } from '../../widgets/state.tsx'
import { explainFailure } from '../../../services/workbench/rest/index.ts'
import { useTitle } from '../hooks.ts'
import { PageHead } from '../shell/page.tsx'
import { Redirect } from '../shell/redirect.tsx'
import { BucketList } from './buckets/bucket-list.tsx'
import { FolderView } from './folder/folder-view.tsx'
import { useBuckets } from './use-listing.ts'

function ChooseBucket() {
  const { all } = useSearch({ strict: false })
  const { data, failure, reload } = useBuckets()
  useTitle('Files')
  if (data === undefined)
    return (
      <>
        <PageHead title="Files" />
        {failure ? (
          <ErrorState title="Could not list the buckets" action={<Button onPress={reload}>Try again</Button>}>
            {explainFailure(failure).message}
          </ErrorState>
        ) : (
          <Skeleton />
        )}
      </>
    )
  const [only] = data
  // With a single bucket, open it unless all buckets are requested.
  if (all !== true && data.length === 1 && only !== undefined)
    return (
      <Redirect>
        <Navigate to="/files/$bucket" params={{ bucket: only.id }} search={{}} replace />
      </Redirect>
    )
  return <BucketList buckets={data} onChanged={reload} />
}

/** The buckets, or the bucket in the URL. */
export function FilesPage() {
  const { bucket } = useParams({ strict: false })
  return bucket === undefined ? <ChooseBucket /> : <FolderView key={bucket} bucket={bucket} />
}
