// What realtime tests share: direct SQL, and a client's step of row changes and broadcasts.
import type { RealtimePostgresChangesPayload, SupabaseClient } from '@supabase/supabase-js'
import postgres from 'postgres'
import type { Backend } from '../../backend/index.ts'
import { atFileEnd } from './endings.ts'

export type Row = Record<string, unknown>
export type Change = RealtimePostgresChangesPayload<Row>

export interface Wanted {
  readonly event?: '*' | 'INSERT' | 'UPDATE' | 'DELETE'
  readonly schema?: string
  readonly table?: string
  readonly filter?: string
  readonly select?: string[]
}

/** SQL that bypasses the backend, as a migration or psql would run it. */
export function directSql(backend: Backend): postgres.Sql {
  const sql = postgres(backend.databaseUrl ?? '', { max: 1, onnotice: () => undefined })
  atFileEnd(() => sql.end({ timeout: 1 }))
  return sql
}

let topics = 0

/**
 * Collects row changes; resolves once the server reports that they are live, rejects with its text otherwise.
 */
export async function watch(client: SupabaseClient, wanted: Wanted | readonly Wanted[]): Promise<Change[]> {
  const changes: Change[] = []
  topics += 1
  const channel = client.channel(`rows ${topics}`)
  for (const { event = '*', schema = 'public', ...rest } of [wanted].flat()) {
    // One overload covers all events.
    channel.on('postgres_changes', { event: event as '*', schema, ...rest }, change => changes.push(change))
  }
  await new Promise<void>((resolve, reject) => {
    channel.on('system', {}, message => {
      if (message.status === 'ok') resolve()
      else reject(new Error(message.message))
    })
    channel.subscribe()
  })
  return changes
}

export const kinds = (changes: readonly Change[]) => changes.map(change => change.eventType)
