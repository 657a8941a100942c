// A backend with the ways by which SQL of a user may try to leave the role of its request.
import postgres from 'postgres'
import type { Backend } from '../../../backend/index.ts'
import { officialClient } from '../../harness/backend.ts'
import { atFileEnd } from '../../harness/endings.ts'
import { CLAIMS_SCHEMA, ESCAPES, ESCAPE_SCHEMA } from './escapes.ts'

export const WAYS = ['rpc', 'trigger', 'view', 'policy'] as const
export type Way = (typeof WAYS)[number]

export interface Attempts {
  readonly sql: postgres.Sql
  /** Tries a statement as an anonymous caller, and returns who runs after it and what it may do. */
  attempt(statement: string, way: Way): Promise<unknown>
}

export async function openAttempts(backend: Backend): Promise<Attempts> {
  const sql = postgres(backend.databaseUrl ?? '', { max: 1, onnotice: () => undefined })
  atFileEnd(() => sql.end())
  await sql.unsafe(`${ESCAPE_SCHEMA}${CLAIMS_SCHEMA}`)
  await sql`insert into wanted ${sql(ESCAPES.map((statement, id) => ({ id, statement })))}`
  await sql.unsafe(`notify pgrst, 'reload schema'`)
  return {
    sql,
    async attempt(statement, way) {
      const client = officialClient(backend)
      const id = ESCAPES.indexOf(statement)
      const { data, error } = await (way === 'rpc'
        ? client.rpc('attempt', { statement }, { get: true })
        : way === 'trigger'
          ? client.from('tried').insert({ statement }).select('outcome')
          : way === 'view'
            ? client.from('attempts').select('outcome').eq('id', id)
            : client.from('guarded').select('id').setHeader('x-statement', statement))
      if (error) return outcomeOf(error)
      const rows: unknown = way === 'rpc' ? [{ outcome: data as unknown }] : data
      return (rows as { outcome: unknown }[])[0]?.outcome
    },
  }
}

/** A policy can only tell by an error. */
export function outcomeOf(error: unknown): unknown {
  const { code, message } = error as { code: string; message: string }
  return code === 'P0001' && message.startsWith('{') ? JSON.parse(message) : { error: code }
}

/** Who runs after an attempt that left nothing but its role: what only the owner or a superuser could do, failed. */
export function isContained(outcome: unknown, login: string): boolean {
  const { state, error = outcome } = outcome as { state?: Record<string, unknown>; error?: unknown }
  if (!state) return /^\w{5}$/.test(String(error))
  return (
    state['session'] === login &&
    state['super'] === 'off' &&
    state['owns'] === false &&
    state['sealed'] !== 'read' &&
    state['create role'] !== 'created' &&
    state['become'] !== 'postgres'
  )
}
