// A channel without a client in between: the row changes of its frames as text, as received.
import type { SupabaseClient } from '@supabase/supabase-js'
import { expect, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Backend } from '../../backend/index.ts'
import { fieldOf } from '../../backend/shared/fields.ts'

export interface RawChange {
  /** The subscriptions it is for, by their position in the join. */
  readonly places: readonly number[]
  readonly text: string
}

export interface RawChannel {
  readonly changes: readonly RawChange[]
  /**
   * Everything that arrived after the join, in order; subscriptions are named by their position in the join.
   */
  readonly frames: readonly { readonly event: unknown; readonly payload: unknown }[]
  /** Continues as another user; resolves once that has taken effect. */
  become(user: SupabaseClient): Promise<void>
  close(): void
}

/** Joins as a user; resolves once row changes are live. */
export async function rawChannel(
  backend: Backend,
  user: SupabaseClient,
  wanted: readonly object[],
): Promise<RawChannel> {
  const base = backend.url.replace('http', 'ws')
  const socket = new WebSocket(`${base}/realtime/v1/websocket?vsn=2.0.0&apikey=${backend.publishableKey}`)
  onTestFinished(() => socket.terminate())
  const changes: RawChange[] = []
  const frames: RawChannel['frames'][number][] = []
  const statuses: unknown[] = []
  let ids: unknown[] = []
  socket.addEventListener('message', ({ data: text }) => {
    if (typeof text !== 'string') return
    const [, , , event, payload]: unknown[] = JSON.parse(text)
    if (event === 'system') statuses.push(fieldOf(payload, 'message'))
    const joined = fieldOf(fieldOf(payload, 'response'), 'postgres_changes')
    if (Array.isArray(joined)) ids = joined.map(one => fieldOf(one, 'id'))
    const received = fieldOf(payload, 'ids')
    const places = Array.isArray(received) ? received.map(id => ids.indexOf(id)) : []
    frames.push({ event, payload: places.length > 0 ? { ...Object(payload), ids: places } : payload })
    if (event !== 'postgres_changes' || !Array.isArray(received)) return
    changes.push({ places, text: text.slice(text.indexOf('"data":') + 7, -2) })
  })
  const send = async (event: string, as: SupabaseClient, payload: object) => {
    const before = [...statuses]
    const { data } = await as.auth.getSession()
    const body = { ...payload, access_token: data.session?.access_token }
    socket.send(JSON.stringify(['1', '1', 'realtime:raw', event, body]))
    await vi.waitFor(() => expect(statuses).toEqual([...before, 'Subscribed to PostgreSQL']))
  }
  await new Promise(resolve => socket.once('open', resolve))
  await send('phx_join', user, { config: { postgres_changes: wanted } })
  return {
    changes,
    frames,
    become: other => send('access_token', other, {}),
    close: () => socket.terminate(),
  }
}
