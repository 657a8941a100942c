// A process under load, `chartroom backend` or the peer, and the folder with its data.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import * as v from 'valibot'
import { NODE_FLAGS } from '../node-flags.ts'
import { root } from '../tool.ts'
import { watchMemory, type MemoryUse } from './memory.ts'
import type { Ready } from './peer.ts'

/** The default first. */
export const ENGINES = ['pglite', 'postgres'] as const
export type Engine = (typeof ENGINES)[number]

const readySchema: v.GenericSchema<unknown, Ready> = v.object({
  url: v.string(),
  publishableKey: v.string(),
  secretKey: v.string(),
})

/** @returns arguments of Node that start the backend; `flags` are additional ones of `chartroom backend` */
export function backendCommand(dir: string, engine: Engine, flags: readonly string[]): readonly string[] {
  const command = [...NODE_FLAGS, join(root, 'src/cli/main.ts'), 'backend', '--json']
  return [...command, '--data', dir, '--engine', engine, ...flags]
}

/** @returns arguments of Node that start the peer */
export function peerCommand(dir: string, engine: Engine): readonly string[] {
  return [join(import.meta.dirname, 'peer.ts'), dir, engine]
}

export class LoadedServer {
  readonly #command: readonly string[]
  #child: ChildProcess | undefined
  #ready: Ready | undefined

  /** @param command arguments of Node; the process prints a JSON line with `Ready` once it has started */
  constructor(command: readonly string[]) {
    this.#command = command
  }

  /** @returns how long it took, in milliseconds */
  async start(): Promise<number> {
    const start = performance.now()
    const child = spawn(process.execPath, this.#command, { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child = child
    let complaint = ''
    child.stderr.on('data', data => (complaint += String(data)))
    const exit = once(child, 'exit').then(() => {
      throw new Error(`The server did not start: ${complaint.trim()}`)
    })
    exit.catch(() => undefined)
    const lines: unknown[] = await Promise.race([once(createInterface(child.stdout), 'line'), exit])
    this.#ready = v.parse(readySchema, JSON.parse(String(lines[0])))
    return performance.now() - start
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL')
  }

  stop(): Promise<void> {
    return this.#end('SIGTERM')
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  get info(): Ready {
    if (!this.#ready) throw new Error('The server has not started yet.')
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

  /** Runs `work`, and watches the memory of the process with those that it started. */
  watchMemory(work: () => Promise<void>): Promise<MemoryUse> {
    return watchMemory(this.#child?.pid, work)
  }
}
