// Database functions as state: loaded when first shown, retried after a failure.
import { useCallback, useEffect, useState } from 'react'
import { type ChartroomClient, describeFailure } from '../../../../services/client/index.ts'
import { useClient, useSession } from '../../../react/index.ts'
import { useRenewable } from '../../renewable.ts'
import { useRetry } from '../../retry.ts'
import { parseFunctions, type RpcFunction } from '../../../../services/workbench/functions/index.ts'

export type Functions =
  | { readonly phase: 'loading' }
  | { readonly phase: 'known'; readonly list: readonly RpcFunction[] }
  /** The backend does not list its functions. */
  | { readonly phase: 'refused' }
  | { readonly phase: 'failed'; readonly message: string }

async function readFunctions(client: ChartroomClient, signal: AbortSignal): Promise<Functions> {
  try {
    const headers = { accept: 'application/openapi+json' }
    const response = await client.fetch('/rest/v1/', { headers, signal })
    if (response.ok) return { phase: 'known', list: parseFunctions(await response.json()) }
    if (response.status < 500) return { phase: 'refused' }
    return { phase: 'failed', message: `The backend responded with status ${response.status}.` }
  } catch (error) {
    return { phase: 'failed', message: (await describeFailure(error)).message }
  }
}

export function useFunctions() {
  const client = useClient()
  const session = useSession()
  const user = session.phase === 'authenticated' ? session.user.id : ''
  const [functions, setFunctions] = useState<Functions>({ phase: 'loading' })
  const [signal, reload] = useRenewable()
  useEffect(() => {
    const leaving = new AbortController()
    const ends = AbortSignal.any([signal, leaving.signal])
    void readFunctions(client, ends).then(read => {
      if (!ends.aborted) setFunctions(read)
    })
    return () => leaving.abort()
  }, [client, user, signal])
  useRetry('functions', functions.phase === 'failed' ? functions : undefined, reload)
  return { functions, reload: useCallback(() => reload(), [reload]) }
}
