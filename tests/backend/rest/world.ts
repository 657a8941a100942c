// A backend with custom tables created by SQL, and a short helper for REST requests.
import postgres from 'postgres'
import { afterAll } from 'vitest'
import type { Backend } from '../../../backend/index.ts'
import { startTestBackend } from '../../harness/backend.ts'

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
}

/** Starts a backend and runs SQL as its owner. */
export async function startWorld(script: string): Promise<World> {
  const backend = await startTestBackend({ databaseAccess: {} })
  const sql = postgres(backend.databaseUrl ?? '', { max: 1, onnotice: () => {} })
  afterAll(() => sql.end())
  await sql.unsafe(script)
  return { backend, sql, ask: (method, path, asked) => ask(backend, method, path, asked) }
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
