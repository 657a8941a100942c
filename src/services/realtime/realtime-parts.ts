// All of realtime that can wait for the first channel: its machines with their ports, its status, and the way round.
import { realtimeOver, type RealtimeHost } from './realtime-over.ts'
import { openSocket } from './supabase-socket.ts'

export type { RealtimeHost } from './realtime-over.ts'

export const createRealtimeParts = (host: RealtimeHost) => realtimeOver(host, openSocket)

export type CreateRealtimeParts = typeof createRealtimeParts
export type RealtimeParts = ReturnType<CreateRealtimeParts>
