// One data folder and the `chartroom backend` process that serves it, with the memory that it uses.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import * as v from 'valibot'
import { root } from '../tool.ts'

const readySchema = v.object({
  url: v.string(),
  publishableKey: v.string(),
  secretKey: v.string(),
  accounts: v.array(v.object({ email: v.string(), password: v.string() })),
})

type Ready = v.InferOutput<typeof readySchema>

const SAMPLE_MS = 250
const run = promisify(execFile)

export class LoadedBackend {
  readonly #dir: string
  readonly #flags: readonly string[]
  #child: ChildProcess | undefined
  #ready: Ready | undefined

  /** @param flags of `chartroom backend`, for example `--engine postgres` */
  constructor(dir: string, flags: readonly string[]) {
    this.#dir = dir
    this.#flags = flags
  }

  /** @returns how long it took, in milliseconds */
  async start(): Promise<number> {
    const start = performance.now()
    const command = [join(root, 'src/cli/main.ts'), 'backend', '--json', '--data', this.#dir, ...this.#flags]
    const child = spawn(process.execPath, ['--stack-size=4000', ...command], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    let complaint = ''
    child.stderr.on('data', data => (complaint += String(data)))
    const exit = once(child, 'exit').then(() => {
      throw new Error(`The backend did not start: ${complaint.trim()}`)
    })
    exit.catch(() => undefined)
    const lines: unknown[] = await Promise.race([once(createInterface(child.stdout), 'line'), exit])
    this.#ready = v.parse(readySchema, JSON.parse(String(lines[0])))
    return performance.now() - start
  }

  async kill(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  async stop(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }

  get info(): Ready {
    if (!this.#ready) throw new Error('The backend has not started yet.')
    return this.#ready
  }

  /** A client with the secret key, for the current process. */
  client(): SupabaseClient {
    return createClient(this.info.url, this.info.secretKey, {
      auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
      db: { retry: false },
    }) as SupabaseClient
  }

  headers(): Record<string, string> {
    return { apikey: this.info.secretKey, authorization: `Bearer ${this.info.secretKey}` }
  }

  /** Resident memory in MB, with the processes that the backend started. */
  async memory(): Promise<number> {
    const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,rss='])
    const processes = stdout
      .trim()
      .split('\n')
      .map(line => line.trim().split(/\s+/).map(Number))
    const tree = new Set([this.#child?.pid])
    let total = 0
    // Parents have smaller numbers than their children, except after the numbers wrapped around.
    for (const [pid = 0, parent = 0, kilobytes = 0] of processes.toSorted(([a = 0], [b = 0]) => a - b))
      if (tree.has(pid) || tree.has(parent)) {
        tree.add(pid)
        total += kilobytes
      }
    return total / 1024
  }

  /** Runs `work`; returns the memory before, at its highest, and after, in MB. */
  async watchMemory(work: () => Promise<void>): Promise<MemoryUse> {
    const before = await this.memory()
    let [peak, isDone] = [before, false]
    const watching = (async () => {
      while (!isDone) {
        peak = Math.max(peak, await this.memory())
        await new Promise(resolve => setTimeout(resolve, SAMPLE_MS))
      }
    })()
    try {
      await work()
    } finally {
      isDone = true
      await watching
    }
    return { before, peak, after: await this.memory() }
  }
}

export interface MemoryUse {
  readonly before: number
  readonly peak: number
  readonly after: number
}
