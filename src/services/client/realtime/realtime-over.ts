// Assembles realtime for any socket opener, lazy or not.
import { realtimeStatus } from '../../../machines/index.ts'
import { composeRealtime } from './compose-realtime.ts'
import { createHttpBroadcast } from './http-broadcast.ts'
import { presenceDiff } from './presence-diff.ts'
import { createRealtimePorts, type RealtimeBackend } from './supabase-realtime.ts'
import type { OpenSocket } from './supabase-socket.ts'

export interface RealtimeHost extends RealtimeBackend {
  /** Waits for the token and replaces the API key by it. */
  readonly gatedFetch: typeof globalThis.fetch
}

export function realtimeOver(host: RealtimeHost, openSocket: OpenSocket) {
  return {
    machine: composeRealtime(createRealtimePorts(host, openSocket)).realtime,
    status: realtimeStatus,
    presenceDiff,
    post: createHttpBroadcast(host.url, host.key, host.gatedFetch),
  }
}
