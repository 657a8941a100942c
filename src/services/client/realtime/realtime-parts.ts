// Realtime code that loads with the first channel: machines with their ports, status, and the HTTP fallback.
import { realtimeOver, type RealtimeHost } from './realtime-over.ts'
import { openSocket } from './supabase-socket.ts'

export const createRealtimeParts = (host: RealtimeHost) => realtimeOver(host, openSocket)

export type CreateRealtimeParts = typeof createRealtimeParts
export type RealtimeParts = ReturnType<CreateRealtimeParts>
