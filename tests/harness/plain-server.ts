// A PostgreSQL server that no backend uses, with a superuser that logs in with a password.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createCluster, startServer } from '../../backend/database/server/process.ts'
import { findPrograms, serverUser } from '../../backend/database/server/programs.ts'
import { atFileEnd } from './endings.ts'
import { freePort } from './free-port.ts'

export interface PlainServer {
  /** A connection by the socket, which any user may have. */
  connect(user: string): Promise<pg.Client>
  /** A URL of a superuser. */
  urlOf(database: string): string
}

export async function startPlainServer(): Promise<PlainServer> {
  const root = mkdtempSync(join(tmpdir(), 'chartroom-plain-'))
  // As root, PostgreSQL runs as another user, which must reach its folder.
  chmodSync(root, 0o711)
  const user = serverUser()
  const programs = findPrograms(user)
  const folder = join(root, 'plain')
  await createCluster(programs, user, folder)
  const port = await freePort()
  const server = await startServer({ programs, user, folder, isTemporary: true, port })
  atFileEnd(async () => {
    await server.stop()
    rmSync(root, { recursive: true, force: true })
  })
  const connect = async (name: string) => {
    const client = new pg.Client({ ...server.address.config, user: name })
    await client.connect()
    return client
  }
  const first = await connect('supabase_admin')
  await first.query(`create role root superuser login password 'plain'`)
  await first.end()
  return { connect, urlOf: database => `postgresql://root:plain@127.0.0.1:${port}/${database}` }
}
