// Trying again by itself.
import { useEffect, useRef } from 'react'
import type { ChartroomClient } from '../../index.ts'
import { createRetries, type Retries } from '../../retries.ts'
import { useClient } from '../react.ts'
import { keepByClient } from './by-client.ts'
import { workRecordings } from './work-recordings.ts'

const kept = keepByClient<Retries>()

/** All that the pages of a client ask again; made when the first of it fails. */
export const retriesOf = (client: ChartroomClient): Retries =>
  kept.of(client, 'all', () => {
    const retries = createRetries()
    workRecordings(client).add('What is asked again', { recording: retries.recording, stays: true })
    let was = client.status().network
    client.onStatus(({ network }) => {
      if (network === 'online' && was === 'offline') retries.wake()
      was = network
    })
    return retries
  })

/**
 * Calls `retry` a while after each failure, so that a page recovers without being asked. Each failure is an
 * object of its own: the next attempt has all the time it needs, however slow the backend is.
 * @param what in the recording's words
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
