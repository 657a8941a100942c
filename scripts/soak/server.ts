// One data folder and the process that serves it, which can be killed and restarted.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { NODE_FLAGS } from '../node-flags.ts'
import type { Command, Report } from './child.ts'

export interface MemorySample {
  /** Number of the process, from 0. */
  readonly life: number
  /** Seconds since the start of the soak. */
  readonly at: number
  readonly megabytes: number
}

type Ready = Extract<Report, { type: 'ready' }>

export class Server {
  readonly memory: MemorySample[] = []
  #child: ChildProcess | undefined
  #ready: Ready | undefined
  #lives = 0
  readonly #dir: string

  constructor(dir: string) {
    this.#dir = dir
  }

  async start(): Promise<void> {
    const child = fork(join(import.meta.dirname, 'child.ts'), [this.#dir], {
      execArgv: [...NODE_FLAGS],
    })
    this.#child = child
    const life = this.#lives
    this.#lives += 1
    this.#ready = await new Promise<Ready>((resolve, reject) => {
      child.once('exit', code => reject(new Error(`The backend exited with code ${code} during startup.`)))
      child.on('message', (message: Report) => {
        if (message.type === 'ready') return resolve(message)
        this.memory.push({ life, at: performance.now() / 1_000, megabytes: message.rss / 2 ** 20 })
      })
    })
  }

  async kill(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  send(command: Command): void {
    this.#child?.send(command)
  }

  get lives(): number {
    return this.#lives
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

  async isHealthy(): Promise<boolean> {
    const response = await fetch(`${this.info.url}/_chartroom/health`).catch(() => undefined)
    return response?.ok ?? false
  }
}
