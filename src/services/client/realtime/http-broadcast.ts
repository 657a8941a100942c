// Broadcasts over HTTP when the socket is not available: as the same user, through the same request queue.
import { describeFailure } from '../requests/describe-failure.ts'
import type { Result } from '../client-types.ts'

export interface Broadcast {
  readonly topic: string
  readonly event: string
  readonly payload: unknown
  readonly isPrivate: boolean
}

/** @param fetch waits for the token and replaces the API key by it */
export function createHttpBroadcast(url: string, key: string, fetch: typeof globalThis.fetch) {
  const post = (path: string, type: string, body: string | ArrayBuffer) =>
    fetch(`${url}/realtime/v1/api/broadcast${path}`, {
      method: 'POST',
      headers: { apikey: key, authorization: `Bearer ${key}`, 'content-type': type },
      body,
    })
  return async ({ topic, event, payload, isPrivate }: Broadcast): Promise<Result<void>> => {
    try {
      const answer = await (payload instanceof ArrayBuffer
        ? post(
            `/${encodeURIComponent(topic)}/events/${encodeURIComponent(event)}${isPrivate ? '?private=true' : ''}`,
            'application/octet-stream',
            payload,
          )
        : post(
            '',
            'application/json',
            JSON.stringify({ messages: [{ topic, event, payload, private: isPrivate }] }),
          ))
      await answer.body?.cancel()
      if (answer.ok) return { ok: true, value: undefined }
      return { ok: false, failure: await describeFailure({}, answer.status) }
    } catch (error) {
      return { ok: false, failure: await describeFailure(error) }
    }
  }
}
