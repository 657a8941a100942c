// A backend with custom tables created by SQL, and a short helper for REST requests.
import postgres from 'postgres'
import { afterAll, vi } from 'vitest'
import type { Backend } from '../../../backend/index.ts'
import { startTestBackend } from '../../harness/backend.ts'
import { isOnServer } from '../../harness/engine.ts'

export interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers: Headers
}

export interface Asked {
  readonly body?: unknown
  readonly headers?: Record<string, string>
  /** Defaults to the publishable key. */
  readonly key?: string
}

export interface World {
  readonly backend: Backend
  readonly sql: postgres.Sql
  ask(method: string, path: string, asked?: Asked): Promise<Answer>
  /** Resolves when REST knows earlier changes by SQL: with PGlite at once, on a server a moment later. */
  noticed(): Promise<void>
}

/** Starts a backend and runs SQL as its owner. */
export async function startWorld(script: string): Promise<World> {
  const backend = await startTestBackend({ databaseAccess: {} })
  const sql = postgres(backend.databaseUrl ?? '', { max: 1, onnotice: () => {} })
  afterAll(() => sql.end())
  const noticed = () => noticedBy(backend, sql)
  await sql.unsafe(script)
  await noticed()
  return { backend, sql, noticed, ask: (method, path, asked) => ask(backend, method, path, asked) }
}

/** Resolves when REST knows earlier changes by SQL. */
export async function noticedBy(backend: Backend, sql: postgres.Sql): Promise<void> {
  if (!isOnServer) return
  // Notifications arrive in order.
  for (const [statement, isThere] of [
    ['create table fence ()', true],
    ['drop table fence', false],
  ] as const) {
    await sql.unsafe(statement)
    await vi.waitFor(async () => {
      const { status } = await ask(backend, 'GET', 'fence', { headers: { 'accept-profile': 'public' } })
      if ((status !== 404) !== isThere) throw new Error(`REST answers ${status} after ${statement}`)
    })
  }
}

async function ask(backend: Backend, method: string, path: string, asked: Asked = {}): Promise<Answer> {
  const { body, headers, key = backend.publishableKey } = asked
  const response = await fetch(`${backend.url}/rest/v1/${path}`, {
    method,
    headers: { apikey: key, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, body: read(await response.text()), headers: response.headers }
}

function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
