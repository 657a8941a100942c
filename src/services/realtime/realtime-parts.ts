// All of realtime that can wait for the first channel: its machines with their ports, its status, and the way round.
import { realtimeStatus } from '../../machines/realtime-status.ts'
import { composeRealtime } from './compose-realtime.ts'
import { createHttpBroadcast } from './http-broadcast.ts'
import { presenceDiff } from './presence-diff.ts'
import { createRealtimePorts, type RealtimeBackend } from './supabase-realtime.ts'

export interface RealtimeHost extends RealtimeBackend {
  /** Waits for the token and puts it in the place of the API key. */
  readonly gatedFetch: typeof globalThis.fetch
}

export function createRealtimeParts(host: RealtimeHost) {
  return {
    machine: composeRealtime(createRealtimePorts(host)).realtime,
    status: realtimeStatus,
    presenceDiff,
    post: createHttpBroadcast(host.url, host.key, host.gatedFetch),
  }
}

export type CreateRealtimeParts = typeof createRealtimeParts
export type RealtimeParts = ReturnType<CreateRealtimeParts>
