// A backend whose publishable key is replaced, as its owner would: stopped, and started with the same data and port.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBackend, type Backend } from '../../backend/index.ts'
import { CHEAP } from './backend.ts'
import { atTestEnd } from './endings.ts'

export interface RotatedBackend {
  readonly url: string
  readonly accounts: Backend['accounts']
  /** The accepted key. */
  readonly key: () => string
  /** Restarts it with another key, or with the given one. Sessions stay valid. */
  readonly rotate: (key?: string) => Promise<void>
}

/** Starts it on a free port; it ends with the test. */
export async function startRotatedBackend(): Promise<RotatedBackend> {
  const dir = await mkdtemp(join(tmpdir(), 'chartroom-keys-'))
  const start = (port: number) => startBackend({ data: { dir }, port, auth: CHEAP })
  let backend = await start(0)
  const { url, port, accounts } = backend
  atTestEnd(async () => {
    await backend.stop()
    await rm(dir, { recursive: true, force: true })
  })
  return {
    url,
    accounts,
    key: () => backend.publishableKey,
    rotate: async (key = `sb_publishable_${randomBytes(24).toString('base64url')}`) => {
      await backend.stop()
      const file = join(dir, 'secrets.json')
      const secrets = JSON.parse(await readFile(file, 'utf8')) as object
      await writeFile(file, JSON.stringify({ ...secrets, publishableKey: key }))
      backend = await start(port)
    },
  }
}
