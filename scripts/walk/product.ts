// The product as a user starts it: `npm start` as a separate process, which can also be frozen.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Fault, Story } from '../../backend/faults/index.ts'
import { NODE_FLAGS } from '../node-flags.ts'
import { root } from '../tool.ts'

export interface Account {
  readonly email: string
  readonly password: string
}

export interface Product {
  readonly url: string
  readonly pid: number
  /** Milliseconds on the clock of `performance` when the process was started. */
  readonly startedAt: number
  readonly skipper: Account
  readonly mate: Account
  /** Replaces the faults of the backend. */
  faults(...faults: readonly (Fault | Story)[]): Promise<void>
  /** The code in the newest email to an address. */
  codeTo(email: string): Promise<string>
  /** Signs in outside of the page; returns requests of this user. */
  requestsAs(account: Account): Promise<UserRequest>
  /** The process stays, but answers nothing until `thaw`. */
  freeze(): void
  thaw(): void
  stop(): Promise<void>
}

/** @throws Error if the response is not a success */
export type UserRequest = (method: string, path: string, body?: unknown) => Promise<Response>

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/

interface Config {
  readonly key: string
  readonly accounts: readonly Account[]
}

export interface ProductOptions {
  /** A data folder; without one, data is in memory. */
  readonly dir?: string
  /** If it is taken, the next free one is used. */
  readonly port?: number
}

/** @throws Error with its output if it does not start */
export async function startProduct({ dir, port = 4600 }: ProductOptions = {}): Promise<Product> {
  const startedAt = performance.now()
  const data = dir === undefined ? ['--memory'] : ['--data', dir]
  const script = join(root, 'scripts/start.ts')
  const args = [...NODE_FLAGS, script, ...data, '--port', String(port)]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const [address] = ADDRESS.exec(output) ?? []
      if (address !== undefined) resolve(address)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void ended.then(() => reject(new Error(`The product did not start:\n${output}`)))
  })
  const { key, accounts } = await json<Config>(`${url}/_chartroom/config`)
  const named = (name: string) => {
    const found = accounts.find(({ email }) => email.startsWith(`${name}@`))
    if (!found) throw new Error(`The demo has no account called ${name}`)
    return found
  }
  const headers = { apikey: key, 'content-type': 'application/json' }
  return {
    url,
    pid: child.pid ?? 0,
    startedAt,
    skipper: named('skipper'),
    mate: named('mate'),
    async faults(...faults) {
      const body = JSON.stringify({ faults })
      await json(`${url}/_chartroom/faults`, { method: 'PUT', headers, body })
    },
    async codeTo(email) {
      const path = `/_chartroom/inbox.json?to=${encodeURIComponent(email)}`
      const { messages } = await json<{ messages: readonly { otp?: string }[] }>(`${url}${path}`)
      return messages[0]?.otp ?? ''
    },
    async requestsAs(account) {
      const signIn = { method: 'POST', headers, body: JSON.stringify(account) }
      const session = await json<{ access_token: string }>(`${url}/auth/v1/token?grant_type=password`, signIn)
      const signed = { ...headers, authorization: `Bearer ${session.access_token}` }
      return async (method, path, body) => {
        const request = { method, headers: signed, ...(body !== undefined && { body: JSON.stringify(body) }) }
        const response = await fetch(`${url}${path}`, request)
        if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`)
        return response
      }
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async stop() {
      child.kill('SIGCONT')
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function json<T>(url: string, init?: RequestInit): Promise<T> {
  const response = await fetch(url, init)
  if (!response.ok) throw new Error(`${new URL(url).pathname} answered ${response.status}`)
  return (await response.json()) as T
}
