// A user's uploads as state: they continue on all pages.
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { ChartroomClient, UploadStatus } from '../../../../services/client/index.ts'
import { useClient, useStatus } from '../../../react/index.ts'
import { useInterval } from '../../../widgets/time.ts'
import { keepByClient, userIn, userOf } from '../../../../services/workbench/storage/index.ts'
import { notify } from '../../shell/notify.ts'
import type { Picked } from './dropped.ts'
import {
  type Bucket,
  joinPath,
  OwnUploads,
  type SpeedSamples,
  withSample,
} from '../../../../services/workbench/files/index.ts'

const uploadsByClient = keepByClient<OwnUploads>()

const ownOf = (client: ChartroomClient, user: string): OwnUploads =>
  uploadsByClient.of(
    client,
    user,
    () =>
      new OwnUploads({
        uploads: client.uploads,
        isTheirs: () => userOf(client) === user,
        onUser: listener => void client.onStatus(listener),
      }),
  )

/** The client's uploads, and the list of the signed-in user's uploads. */
export const useUploads = () => {
  const client = useClient()
  const { uploads } = client
  const { list: read } = ownOf(client, useStatus(userIn))
  const list = useSyncExternalStore(uploads.onChange, read, read)
  return { uploads, list }
}

/** Starts uploads into `folder`; files that the bucket's limits exclude fail without being sent. */
export const useAddUploads = (bucket: string, folder: string, known: Bucket | undefined) => {
  const client = useClient()
  const own = ownOf(client, useStatus(userIn))
  return useCallback(
    async (files: readonly Picked[]) => {
      if (files.length === 0) return
      const limits = {
        ...(known?.maxBytes !== undefined && { bytes: known.maxBytes }),
        ...(known?.types && { types: known.types }),
      }
      try {
        await own.add(
          files.map(({ path, file }) => ({ bucket, path: joinPath(folder, path), content: file, limits })),
        )
      } catch {
        notify({
          tone: 'fail',
          title: 'Could not start the uploads',
          detail: 'The upload code did not load. Choose the files again when you are online.',
        })
      }
    },
    [own, bucket, folder, known],
  )
}

const NO_SAMPLES: SpeedSamples = new Map()
const SAMPLE_MS = 1_000

/** Samples of the uploads that are being sent, taken once a second. */
export const useUploadSpeeds = (list: readonly UploadStatus[]): SpeedSamples => {
  const { now } = useClient()
  const [samples, setSamples] = useState(NO_SAMPLES)
  const isSending = list.some(({ phase }) => phase === 'sending')
  useInterval(() => setSamples(known => withSample(known, list, now())), isSending ? SAMPLE_MS : undefined)
  return isSending ? samples : NO_SAMPLES
}

const isUnderWay = ({ phase }: UploadStatus): boolean =>
  phase === 'waiting' ||
  phase === 'checking' ||
  phase === 'sending' ||
  phase === 'retrying' ||
  phase === 'offline'

/** Asks before leaving the page during uploads, which would interrupt them. */
export const useLeaveGuard = (list: readonly UploadStatus[]): void => {
  const isBusy = list.some(isUnderWay)
  useEffect(() => {
    if (!isBusy) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isBusy])
}

/** Calls `onStored` after uploads into this folder or below it. */
export const useStored = (
  list: readonly UploadStatus[],
  bucket: string,
  folder: string,
  onStored: () => void,
): void => {
  const prefix = folder === '' ? '' : `${folder}/`
  const count = list.filter(
    upload => upload.phase === 'done' && upload.bucket === bucket && upload.path.startsWith(prefix),
  ).length
  useEffect(() => {
    if (count > 0) onStored()
  }, [count, onStored])
}
