// Clusters of a PostgreSQL server that the backend starts, from npm or of the system.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { unpackFolder } from '../packed.ts'
import type { Clusters, ClusterPlace, Opened, Services } from '../clusters.ts'
import { connectServer } from './engine.ts'
import { isPassable } from './cluster-files.ts'
import { createCluster, startServer } from './process.ts'
import { findPrograms, serverUser, type Programs, type ServerUser } from './programs.ts'
import { OWNER, OWNER_VERSION, readyOwner } from './superuser.ts'

/** For drivers and psql. */
export interface ServerAccess {
  /** 0 means any free port. */
  readonly port: number
  readonly password: string
}

/** @throws EngineError if no PostgreSQL is installed that this process can start */
export function serverClusters(access: ServerAccess | undefined): Clusters {
  const user = serverUser()
  const programs = findPrograms(user)
  const [major = ''] = programs.version.split('.')
  return {
    kind: 'postgres',
    version: `postgres-${programs.version}-${process.platform}-${process.arch}-${OWNER_VERSION}`,
    major,
    canUse: folder => !user || isPassable(user, folder),
    create: folder => createCluster(programs, user, folder),
    open: (place, services) => open({ programs, user, access }, place, services),
  }
}

interface Setup {
  readonly programs: Programs
  readonly user: ServerUser | undefined
  readonly access: ServerAccess | undefined
}

async function open(
  { programs, user, access }: Setup,
  place: ClusterPlace,
  services: Services,
): Promise<Opened> {
  const passing = 'copyOf' in place ? copied(place.copyOf) : undefined
  const folder = passing ?? ('folder' in place ? place.folder : '')
  const cleanUp = () => {
    if (passing !== undefined) rmSync(dirname(passing), { recursive: true, force: true })
  }
  const port = access && (await freePort(access.port))
  const server = await startServer({
    programs,
    user,
    folder,
    isTemporary: passing !== undefined,
    port,
  }).catch((error: unknown) => {
    cleanUp()
    throw error
  })
  const end = async () => {
    await server.stop()
    cleanUp()
  }
  try {
    await readyOwner(server.address, access?.password)
    const opened = await connectServer(server.address, services, end)
    return access ? { ...opened, driverUrl: urlOf(port ?? 0, access.password) } : opened
  } catch (error) {
    await end()
    throw error
  }
}

/** A temporary copy, in a folder that only this user and the server's user may pass. */
function copied(archivePath: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'chartroom-data-'))
  chmodSync(folder, 0o700)
  const copy = join(folder, 'database')
  unpackFolder(archivePath, copy)
  return copy
}

const urlOf = (port: number, password: string) =>
  `postgresql://${OWNER}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`

/** @throws Error with code `EADDRINUSE` if the port is taken */
async function freePort(preferredPort: number): Promise<number> {
  const server = createServer().listen(preferredPort, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
