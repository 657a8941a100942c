// Live apps of `vite dev` with the plugin: development servers of the roots name themselves in a file.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LiveApp, LiveApps } from './live.ts'
import type { Roots } from './roots.ts'

/** Below the root of an app, as the plugin writes it. */
const FOLDER = join('node_modules', '.chartroom')
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?\//
/** Answers of a page take a moment, and a large recording longer, in milliseconds. */
const PATIENCE = 30_000

interface DevServer {
  readonly pid: number
  readonly url: string
  readonly token: string
}

interface Listed {
  readonly page: string
  readonly id: number
  readonly label: string
  readonly isRunning: boolean
  readonly canControl: boolean
}

export function viteApps(roots: Roots): LiveApps {
  const servers = async (): Promise<readonly DevServer[]> =>
    (await Promise.all(roots.folders.map(folder => serversIn(join(folder, FOLDER))))).flat()

  /** A server that does not answer has ended without removing its file. */
  const listOf = async (
    server: DevServer,
  ): Promise<readonly (LiveApp & Listed & { server: DevServer })[]> => {
    const apps = (await ask(server, { do: 'list' }).catch(() => [])) as readonly Listed[]
    return apps.map(one => ({
      ...one,
      id: `vite-${server.pid}-${one.page}-${one.id}` as never,
      system: one.id,
      from: 'vite' as const,
      server,
    }))
  }
  const all = async () => (await Promise.all((await servers()).map(listOf))).flat()
  const send = async (id: string, command: object): Promise<unknown> => {
    const app = (await all()).find(one => String(one.id) === id)
    if (!app) throw new Error('The app is gone. The tool "recordings" lists those that run.')
    const system = Number(id.split('-').at(-1))
    return ask(app.server, { ...command, page: app.page, system })
  }
  return {
    list: async () =>
      (await all()).map(({ id, label, from, isRunning, canControl }) => ({
        id: String(id),
        label,
        from,
        isRunning,
        canControl,
      })),
    recording: async id => {
      const data = String(await send(id, { do: 'recording' }))
      return {
        version: `${data.length} ${data.slice(-64)}`,
        bytes: () => Promise.resolve(Buffer.from(data, 'base64')),
      }
    },
    command: send,
    close: () => undefined,
  }
}

async function serversIn(folder: string): Promise<DevServer[]> {
  const names = await readdir(folder).catch(() => [])
  const read = names
    .filter(name => /^vite-\d+\.json$/.test(name))
    .map(async name => {
      try {
        return asServer(JSON.parse(await readFile(join(folder, name), 'utf8')))
      } catch {
        return undefined
      }
    })
  return (await Promise.all(read)).filter(one => one !== undefined)
}

/** Only servers of this machine are asked. */
function asServer(value: unknown): DevServer | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { pid, url, token } = value as Readonly<Record<string, unknown>>
  if (typeof pid !== 'number' || typeof url !== 'string' || typeof token !== 'string') return undefined
  return LOOPBACK.test(url) ? { pid, url, token } : undefined
}

async function ask({ url, token }: DevServer, question: object): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(question),
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE),
  })
  const answer = (await response.json()) as { readonly result?: unknown; readonly failure?: unknown }
  if (typeof answer.failure === 'string') throw new Error(answer.failure)
  return answer.result
}
