// Fetches a file so that it can be looked at: as an address inside the page, or as text.
import { useEffect, useState } from 'react'
import { useClient } from '../../react.ts'
import type { AnyDataClient } from '../database.ts'
import { explainCall } from '../failed-call.ts'
import { useRenewable } from '../hooks.ts'
import { inertUrl, type InertUrl } from '../inert-url.ts'
import { readable, type Look } from './kinds.ts'
import { addressed } from './listing.ts'

export type Preview =
  | { readonly phase: 'loading' }
  | { readonly phase: 'failed'; readonly message: string }
  | { readonly phase: 'shown'; readonly url: string }
  | { readonly phase: 'text'; readonly text: string; readonly isCut: boolean }

export interface Shown {
  readonly preview: Preview
  /** By which request it was fetched. */
  readonly request: string | undefined
  readonly retry: () => void
}

const LOADING = { phase: 'loading' } as const

const isText = ({ kind }: Look) => kind === 'text' || kind === 'json'

/** Fetches `path` of `bucket` as soon as `isWanted`; `version` says when it has changed. */
export function usePreview(
  bucket: string,
  path: string,
  version: string | undefined,
  look: Look,
  isWanted: boolean,
): Shown {
  const client = useClient()
  const [state, setState] = useState<{ key: string; preview: Preview; request?: string | undefined }>()
  const [signal, retry] = useRenewable()
  const { kind, mime } = look
  const key = `${bucket}/${path} ${version ?? ''} ${kind}`
  useEffect(() => {
    if (!isWanted || kind === 'none') return
    const left = new AbortController()
    const ends = AbortSignal.any([signal, left.signal])
    let shown: InertUrl | undefined
    let request: string | undefined
    const data = client.with({ signal: ends, onStart: id => (request = id) }) as unknown as AnyDataClient
    const set = (preview: Preview) => {
      if (!ends.aborted) setState({ key, preview, request })
    }
    const load = async (): Promise<Preview> => {
      const { data: blob, error } = await data.storage.from(bucket).download(addressed(path))
      if (error !== null) throw error
      if (isText({ kind, mime })) return { phase: 'text', ...readable(await blob.text(), kind) }
      // Under a type of ours: what a stranger stored as a page would be run as one of this site.
      const made = await inertUrl(blob, mime)
      if (ends.aborted) {
        made.revoke()
        return LOADING
      }
      shown = made
      return { phase: 'shown', url: made.url }
    }
    load().then(set, async (error: unknown) => {
      const { message } = await explainCall(error)
      set({ phase: 'failed', message })
    })
    return () => {
      left.abort()
      shown?.revoke()
    }
  }, [client, bucket, path, key, kind, mime, isWanted, signal])
  const shown = state?.key === key ? state : undefined
  return { preview: shown?.preview ?? LOADING, request: shown?.request, retry }
}
