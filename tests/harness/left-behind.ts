// What a test file must neither need nor leave behind: a network; processes, ports, timers and temporary files.
import { AsyncLocalStorage } from 'node:async_hooks'
import { ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { Server, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Passable, but not readable: a PostgreSQL server may run as another user. */
const PASSABLE = 0o711
/** How long something may take to end, in milliseconds. */
const GRACE = 5_000
/** Interval of looking again, in milliseconds. */
const EVERY = 20
/** Names and addresses of this machine, and those that no network has. */
const LOCAL_NAME = /^(?:localhost|.*\.(?:localhost|invalid|test|example))$/i
const LOCAL_ADDRESS =
  /^(?:127\.|0\.0\.0\.0$|192\.0\.2\.|198\.51\.100\.|203\.0\.113\.|::1?$|::ffff:(?:127\.|7f00:))/
/** Names of temporary files of a shared browser, and of other workers. */
const SHARED_FILES = /^(?:playwright|\.?org\.chromium|worker-)/

interface Watch {
  /** Where temporary files of this process are. */
  readonly folder: string
  /** Its files, processes and servers that existed when the test file began. */
  readonly before: Set<unknown>
  /** Weakly: tests check that what a timer refers to is released. */
  readonly timers: Set<WeakRef<NodeJS.Timeout>>
  /** Set in what files share. */
  readonly sharing: AsyncLocalStorage<true>
  readonly connections: Set<string>
}

/** Shared by all copies of this module in a process. */
const watch = ((globalThis as { chartroomWatch?: Watch }).chartroomWatch ??= startWatch())

/** Starts what the files of this process share, like a browser. */
export const forAllFiles = <Made>(start: () => Promise<Made>): Promise<Made> =>
  watch.sharing.run(true, async () => {
    const made = await start()
    for (const one of [...handles(), ...readdirSync(watch.folder)]) watch.before.add(one)
    return made
  })

/** From here on, what is started belongs to the test file that begins. */
export function beginFile(): void {
  watch.before.clear()
  watch.timers.clear()
  watch.connections.clear()
  for (const one of [...handles(), ...readdirSync(watch.folder)]) watch.before.add(one)
}

/** @throws Error with a sentence for each thing that is left behind, or needs a network */
export async function endFile(file: string): Promise<void> {
  const until = Date.now() + GRACE
  while (remains().length > 0 && Date.now() < until) await new Promise(resolve => realTimeout(resolve, EVERY))
  const problems = [
    ...remains().map(what => `${file} leaves ${what}. End it with atTestEnd or atFileEnd.`),
    ...[...watch.connections].map(
      host => `${file} connects to ${host}. Tests need no network: start a server on 127.0.0.1.`,
    ),
  ]
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

const realTimeout = globalThis.setTimeout

function startWatch(): Watch {
  const folder = mkdtempSync(join(tmpdir(), 'worker-'))
  chmodSync(folder, PASSABLE)
  process.env['TMPDIR'] = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const made: Watch = {
    folder,
    before: new Set(),
    timers: new Set(),
    sharing: new AsyncLocalStorage(),
    connections: new Set(),
  }
  watchTimers(made)
  watchConnections(made)
  return made
}

type StartTimer = (...args: never[]) => NodeJS.Timeout

function watchTimers({ timers, sharing }: Watch): void {
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const start = globalThis[name] as StartTimer
    const watched: StartTimer = (...args) => {
      const timer = start(...args)
      if (!sharing.getStore() && !isOfLibrary(watched)) timers.add(new WeakRef(timer))
      return timer
    }
    Object.defineProperties(watched, Object.getOwnPropertyDescriptors(start))
    Object.assign(globalThis, { [name]: watched })
  }
}

/** Libraries end some of their timers later, and some never. */
function isOfLibrary(called: StartTimer): boolean {
  const { prepareStackTrace, stackTraceLimit } = Error
  const holder: { stack?: readonly NodeJS.CallSite[] } = {}
  // Without references to objects of the callers, and without source maps, which take longer than everything else.
  Error.prepareStackTrace = (_, sites) => sites
  Error.stackTraceLimit = 1
  Error.captureStackTrace(holder, called)
  const file = holder.stack?.[0]?.getFileName()
  Error.prepareStackTrace = prepareStackTrace
  Error.stackTraceLimit = stackTraceLimit
  return file?.includes('/node_modules/') === true
}

function watchConnections({ connections }: Watch): void {
  const connect = Socket.prototype.connect as (...args: readonly unknown[]) => Socket
  Socket.prototype.connect = function (this: Socket, ...args: readonly unknown[]) {
    const host = hostOf(args)
    if (host !== undefined && !LOCAL_NAME.test(host) && !LOCAL_ADDRESS.test(host)) {
      connections.add(host)
      return this.destroy(new Error(`Tests must not connect to ${host}.`))
    }
    return connect.apply(this, [...args])
  } as typeof Socket.prototype.connect
}

/** Of arguments of `connect`, which Node normalizes to a list within the list; undefined for a socket file. */
function hostOf(args: readonly unknown[]): string | undefined {
  const [first, second] = args.flat() as readonly unknown[]
  if (typeof first === 'object' && first !== null)
    return 'path' in first && first.path ? undefined : ((first as { host?: string }).host ?? 'localhost')
  if (typeof first === 'string') return undefined
  return typeof second === 'string' ? second : 'localhost'
}

/** Processes and listening servers of this process. */
const handles = (): object[] =>
  (process as unknown as { _getActiveHandles(): object[] })
    ._getActiveHandles()
    .filter(one => one instanceof ChildProcess || (one instanceof Server && one.listening))

function remains(): string[] {
  const left = handles().filter(one => !watch.before.has(one))
  const files = readdirSync(watch.folder).filter(one => !watch.before.has(one) && !SHARED_FILES.test(one))
  return [...left.map(nameOf), ...timersLeft(), ...files.map(one => `the temporary file ${one}`)]
}

function nameOf(handle: object): string {
  if (handle instanceof ChildProcess) return `the process ${handle.pid} (${handle.spawnargs.join(' ')})`
  const address = (handle as Server).address()
  return `the port ${typeof address === 'object' ? address?.port : address} open`
}

/** What Node knows of a timer. */
interface TimerState {
  readonly _destroyed: boolean
  readonly _idleTimeout: number
  readonly _onTimeout: unknown
}

function timersLeft(): string[] {
  const left: string[] = []
  for (const reference of watch.timers) {
    const timer = reference.deref() as (NodeJS.Timeout & TimerState) | undefined
    if (timer === undefined || timer._destroyed) watch.timers.delete(reference)
    else left.push(`a timer of ${timer._idleTimeout} ms running: ${excerpt(timer._onTimeout)}`)
  }
  return left
}

const excerpt = (code: unknown) => String(code).replaceAll(/\s+/g, ' ').slice(0, 120)
