// Creates clusters and runs a PostgreSQL server on one, which ends when the backend does, even if it is killed.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { ServerAddress } from './driver.ts'
import { EngineError } from '../engine.ts'
import { giveNew, readyFolder } from './cluster-files.ts'
import type { Programs, ServerUser } from './programs.ts'
import { OWNER, OWNER_SCRIPT, SUPERUSER } from './superuser.ts'

export interface ServerOptions {
  readonly programs: Programs
  readonly user: ServerUser | undefined
  /** The cluster. */
  readonly folder: string
  /** Nothing needs to survive a crash of the machine. */
  readonly isTemporary: boolean
  /** Accepts drivers on loopback, too. */
  readonly port?: number | undefined
}

export interface ServerProcess {
  readonly address: ServerAddress
  /** Disconnects all clients and ends the server. */
  stop(): Promise<void>
}

const run = promisify(execFile)

/** English messages, and no settings of the user's own PostgreSQL. */
const ENVIRONMENT = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' }

/** Creates a cluster in a new folder, with a superuser and with `postgres`, which is none. */
export async function createCluster(
  { bin, version }: Programs,
  user: ServerUser | undefined,
  folder: string,
) {
  mkdirSync(folder, { mode: 0o700 })
  if (user) giveNew(user, folder)
  // Like a hosted database, it orders texts by code points.
  const locale =
    Number.parseInt(version, 10) >= 17
      ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
      : ['--locale=C.UTF-8']
  const args = [
    `--username=${SUPERUSER}`,
    '--auth-local=trust',
    '--auth-host=scram-sha-256',
    '--encoding=UTF8',
  ]
  const options = { env: ENVIRONMENT, cwd: '/', ...(user ? { uid: user.uid, gid: user.gid } : {}) }
  try {
    await run(
      join(bin, 'initdb'),
      [`--pgdata=${folder}`, ...args, ...locale, '--no-sync', '--no-instructions', '--wal-segsize=1'],
      options,
    )
    const single = run(join(bin, 'postgres'), ['--single', '-D', folder, 'postgres'], options)
    single.child.stdin?.end(OWNER_SCRIPT)
    const { stderr } = await single
    if (/^.*ERROR:/m.test(stderr)) throw new Error(stderr)
  } catch (error) {
    throw new EngineError(`PostgreSQL could not create a cluster. ${outputOf(error)}`, { cause: error })
  }
}

function outputOf(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
  return text || (error instanceof Error ? error.message : String(error))
}

/**
 * Waits for the end of its input, which the operating system closes with the backend, and then ends the server
 * and removes the folder of its sockets and a temporary cluster. The exit code is the server's.
 */
const WATCH = `exec 3<&0
"$@" </dev/null & server=$!
{ cat <&3 >/dev/null; kill -INT $server; } & watcher=$!
wait $server; code=$?
kill $watcher 2>/dev/null
rm -rf "$SOCKETS"
[ -z "$TEMPORARY" ] || rm -rf "$TEMPORARY"
exit $code`

/** The name of the socket's file depends on a port, even without TCP. */
const SOCKET_PORT = 5432
const LONGEST_SOCKET_FOLDER = 80
/** Recovery after a crash may take a while. */
const START_MS = 120_000
const POLL_MS = 20
const STOP_MS = 20_000
const KEPT_OUTPUT = 4_000

/** The server of a backend that was killed may still be shutting down. */
const LOCK_FILE_EXISTS = 'lock file "postmaster.pid" already exists'
const TAKEN_MS = 20_000
const RETRY_MS = 200

/** @throws EngineError with PostgreSQL's own message */
export async function startServer(options: ServerOptions): Promise<ServerProcess> {
  const end = performance.now() + TAKEN_MS
  for (;;) {
    try {
      return await start(options)
    } catch (error) {
      const isTaken = error instanceof EngineError && error.message.includes(LOCK_FILE_EXISTS)
      if (!isTaken || performance.now() > end) throw error
    }
    await new Promise(resolve => setTimeout(resolve, RETRY_MS))
  }
}

async function start(options: ServerOptions): Promise<ServerProcess> {
  const { user, folder, port } = options
  readyFolder(user, folder)
  const sockets = socketFolder(user)
  const child = launch(options, sockets)
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-KEPT_OUTPUT)))
  const exited = new Promise<void>(resolve => {
    child.once('error', error => {
      output += error.message
      resolve()
    })
    child.once('exit', () => resolve())
  })
  const stop = async () => {
    child.stdin?.end()
    const killTimer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    await exited
    clearTimeout(killTimer)
    rmSync(sockets, { recursive: true, force: true })
  }
  const config = { host: sockets, port: port ?? SOCKET_PORT, user: OWNER, database: 'postgres' }
  try {
    await connected({ ...config, user: SUPERUSER }, exited, () => output)
  } catch (error) {
    await stop()
    throw error
  }
  return { address: { config, authenticator: 'authenticator', name: folder }, stop }
}

function launch({ programs, user, folder, isTemporary, port }: ServerOptions, sockets: string): ChildProcess {
  const settings = {
    listen_addresses: port === undefined ? '' : '127.0.0.1',
    port: port ?? SOCKET_PORT,
    unix_socket_directories: sockets,
    unix_socket_permissions: '0700',
    ...Object.fromEntries(
      Object.entries(CONFIGURATION).map(([name, { file }]) => [name, join(sockets, file)]),
    ),
    shared_buffers: '64MB',
    // Compiling an expression takes longer than requests may, and longer than the rows of a project in development.
    jit: 'off',
    logging_collector: 'off',
    log_min_messages: 'fatal',
    ...(isTemporary ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' } : {}),
  }
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = [join(programs.bin, 'postgres'), '-D', folder, ...args]
  const child = spawn('/bin/sh', ['-c', WATCH, 'sh', ...command], {
    env: { ...ENVIRONMENT, SOCKETS: sockets, TEMPORARY: isTemporary ? folder : '' },
    cwd: '/',
    stdio: ['pipe', 'ignore', 'pipe'],
    // Ctrl-C in a terminal must not end the server before the backend has finished.
    detached: true,
    ...(user ? { uid: user.uid, gid: user.gid } : {}),
  })
  child.stdin.on('error', () => undefined)
  return child
}

/**
 * Everything that the server is configured with, made at each start: what a cluster's folder has of it is not read. Only
 * the server's user may pass the folder of the sockets; drivers come with a password, and only to databases.
 */
const CONFIGURATION: Readonly<Record<string, { readonly file: string; readonly text: string }>> = {
  config_file: { file: 'postgresql.conf', text: "default_text_search_config = 'pg_catalog.english'\n" },
  hba_file: {
    file: 'pg_hba.conf',
    text: 'local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n',
  },
  ident_file: { file: 'pg_ident.conf', text: '' },
}

/** The folder of the server's sockets and of its configuration. */
function socketFolder(user: ServerUser | undefined): string {
  const root = tmpdir().length > LONGEST_SOCKET_FOLDER ? '/tmp' : tmpdir()
  const folder = mkdtempSync(join(root, 'chartroom-'))
  for (const { file, text } of Object.values(CONFIGURATION))
    writeFileSync(join(folder, file), text, { mode: 0o644, flag: 'wx' })
  if (user) chownSync(folder, user.uid, user.gid)
  return folder
}

async function connected(
  config: pg.ClientConfig,
  exited: Promise<void>,
  output: () => string,
): Promise<void> {
  const end = performance.now() + START_MS
  let hasEnded = false
  void exited.then(() => (hasEnded = true))
  for (;;) {
    const client = new pg.Client(config)
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.end()
      return
    } catch (cause) {
      if (hasEnded) throw new EngineError(`PostgreSQL did not start. ${output().trim()}`, { cause })
      if (performance.now() > end)
        throw new EngineError(`PostgreSQL did not start within ${START_MS / 1000} s.`, { cause })
    }
    await Promise.race([exited, new Promise(resolve => setTimeout(resolve, POLL_MS))])
  }
}
