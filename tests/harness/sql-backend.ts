// A backend in a separate process, with its SQL tool: PGlite keeps the process busy while a statement runs.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { NODE_FLAGS } from '../../scripts/node-flags.ts'
import { atFileEnd } from './endings.ts'

const PROGRAM = `import { startBackend } from './backend/index.ts'
  const [engine, dir] = process.argv.slice(1)
  const backend = await startBackend({
    engine, data: dir ? { dir } : 'memory', databaseAccess: {}, autoExposeNewTables: true, auth: { passwordCost: 4 },
  })
  const { url, publishableKey, secretKey, databaseUrl, accounts } = backend
  console.log(JSON.stringify({ url, publishableKey, secretKey, databaseUrl, accounts }))
  process.stdin.on('end', () => void backend.stop().then(() => process.exit())).resume()`

/** What the tool returns for a script. */
export interface Report {
  readonly end: string
  readonly statements: readonly {
    readonly from: number
    readonly to: number
    readonly columns?: readonly { name: string; type: string; origin?: object }[]
    readonly rows: readonly (readonly (string | null)[])[]
    readonly hasMore: boolean
    readonly tag?: string
    readonly error?: { code: string; message: string; detail?: string; hint?: string; position?: number }
    readonly notices: readonly { severity: string; message: string }[]
    readonly noticeCount: number
  }[]
  readonly skipped: number
  readonly isRolledBack: boolean
  readonly leftOpen: boolean
}

export interface SqlBackend {
  readonly url: string
  readonly publishableKey: string
  readonly secretKey: string
  readonly databaseUrl: string
  readonly accounts: readonly { readonly email: string; readonly password: string }[]
  /** Sends a script; options are fields of the request. */
  send(sql: string, options?: object, init?: RequestInit): Promise<Response>
  run(sql: string, options?: object): Promise<Report>
  /** Milliseconds of a request to REST. */
  timeOfRest(): Promise<number>
  stop(): Promise<void>
}

/** It ends with the file, and not after the process that started it. */
export async function startSqlBackend(engine: string, dir = ''): Promise<SqlBackend> {
  const args = [...NODE_FLAGS, '--input-type=module-typescript', '-e', PROGRAM, '--', engine, dir]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const stop = async () => {
    if (child.exitCode !== null) return
    const gone = once(child, 'exit')
    child.stdin.end()
    await gone
  }
  atFileEnd(stop)
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const info = JSON.parse(String(line)) as Omit<SqlBackend, 'send' | 'run' | 'timeOfRest' | 'stop'>
  const send: SqlBackend['send'] = (sql, options = {}, init = {}) =>
    fetch(`${info.url}/_chartroom/sql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: crypto.randomUUID(), sql, ...options }),
      ...init,
    })
  return {
    ...info,
    send,
    async run(sql, options) {
      const response = await send(sql, options)
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
      return (await response.json()) as Report
    },
    async timeOfRest() {
      const start = performance.now()
      const response = await fetch(`${info.url}/rest/v1/vessels?select=id&limit=1`, {
        headers: { apikey: info.secretKey },
      })
      if (!response.ok) throw new Error(await response.text())
      return performance.now() - start
    },
    stop,
  }
}
