// Automatic retries of failed page loads.
import { useEffect, useRef } from 'react'
import type { ChartroomClient } from '../../services/client/index.ts'
import { createRetries, type Retries } from '../../services/workbench/jobs/index.ts'
import { useClient } from '../react/index.ts'
import { keepByClient } from '../../services/workbench/storage/index.ts'
import { workRecordings } from './work-recordings.ts'

const kept = keepByClient<Retries>()

/** All automatic retries of a client's pages; created on the first failure. */
export const retriesOf = (client: ChartroomClient): Retries =>
  kept.of(client, 'all', () => {
    const retries = createRetries()
    workRecordings(client).add('Retries', { recording: retries.recording, stays: true })
    let was = client.status().network
    client.onStatus(({ network }) => {
      if (network === 'online' && was === 'offline') retries.flush()
      was = network
    })
    return retries
  })

/**
 * Calls `retry` some time after each failure, so that a page recovers automatically. Each failure must be a
 * new object: only a new failure schedules the next retry, so a slow attempt is never interrupted.
 * @param what name of the retry in the recording
 */
export const useRetry = (what: string, failure: object | undefined, retry: () => void): void => {
  const client = useClient()
  const latest = useRef(retry)
  useEffect(() => {
    latest.current = retry
  })
  useEffect(
    () => (failure === undefined ? undefined : retriesOf(client).add(what, () => latest.current())),
    [client, what, failure],
  )
}
