// The environment of the rows: one embedded backend with its faults, and an app on either client.
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { startBackend, type Backend, type BackendOptions } from '../../../backend/index.ts'
import type { Fault, Story } from '../../../backend/faults/index.ts'
import { createChartroomClient, type ChartroomClient } from '../../../src/public/index.ts'
import { openPage, type Page } from './page.ts'
import { hasten, pause, shiftDate } from './time.ts'

/** A request sent by a client. */
export interface Asked {
  readonly call: string
  /** The identity it carried: a user's token, or the API key alone. */
  readonly as: 'user' | 'key'
  readonly bearer: string
}

/** An app on one of the two clients; its code is the same for both. */
export interface App {
  readonly which: 'official' | 'chartroom'
  /** Creates the client; `mine` is set if it is ours. */
  open(options?: OpenOptions): Opened
  /** Stores a session with the given number of seconds left. */
  keep(left: number): Promise<void>
  /** The stored session, if any. */
  stored(): string | null
  readonly page: Page
  readonly asked: readonly Asked[]
  /** Number of token refresh requests. */
  refreshes(): number
  /** Sent joins, each with its identity. */
  readonly joins: ('user' | 'key')[]
  /** Number of opened sockets. */
  sockets(): number
}

export interface OpenOptions {
  readonly flowType?: 'implicit' | 'pkce'
}

export interface Opened {
  readonly supabase: SupabaseClient
  readonly mine?: ChartroomClient
  /** Auth events in order. */
  readonly events: string[]
  dispose(): Promise<void>
}

export interface Scene {
  readonly backend: Backend
  given(...faults: readonly (Fault | Story)[]): void
  clearFaults(): void
  /** Speeds up time until the row is over. */
  hasten(): void
  /** Sets the device's time of day ahead, or back, until the row is over; that of the servers is true. */
  shiftDevice(ms: number): void
  /** Lets time pass for the auth server. */
  passTime(seconds: number): Promise<void>
  play<T>(which: App['which'], work: (app: App) => Promise<T>): Promise<T>
  stop(): Promise<void>
}

const KEY = 'harbour-session'

/** The account of the user whose client is tested. */
export function skipperOf({ backend }: Pick<Scene, 'backend'>) {
  const [account] = backend.accounts
  if (!account) throw new Error('The backend has no account.')
  return account
}

/** `auth`: settings that differ from the defaults. */
export async function openScene(auth?: NonNullable<BackendOptions['auth']>): Promise<Scene> {
  // The clock of another auth server cannot be shifted.
  const hasOtherAuth = Boolean(process.env['CHARTROOM_AUTH_URL'])
  const backend = await startBackend({ data: 'memory', ...(auth && { auth }) })
  let clearTime = () => {}
  return {
    backend,
    given: (...faults) => void backend.faults.add(...faults),
    clearFaults: () => backend.faults.clear(),
    hasten: () => void (clearTime = hasten()),
    shiftDevice(ms) {
      clearTime = shiftDate(ms)
      // The embedded backend reads the same clock.
      backend.faults.add({ id: 'true-time', do: { clock: -ms } })
    },
    async passTime(seconds) {
      if (hasOtherAuth) await pause(seconds * 1_000)
      else backend.faults.add({ id: 'later', do: { clock: seconds * 1_000 } })
    },
    async play(which, work) {
      const page = openPage('http://app.test/')
      const { app, close } = createApp(backend, which, page)
      const { warn, error } = console
      // The official client warns about things that are done on purpose here.
      console.warn = console.error = () => undefined
      try {
        return await work(app)
      } finally {
        backend.faults.clear()
        await close()
        clearTime()
        clearTime = () => {}
        page.leave()
        Object.assign(console, { warn, error })
      }
    },
    stop: () => backend.stop(),
  }
}

function createApp(backend: Backend, which: App['which'], page: Page) {
  const { url, publishableKey: key } = backend
  const asked: Asked[] = []
  const joins: App['joins'] = []
  let sockets = 0
  const opened: Opened[] = []
  const ask: typeof fetch = (input, init) => {
    const request = new Request(input, init)
    const bearer = request.headers.get('authorization')?.replace('Bearer ', '') ?? ''
    const call = `${request.method} ${request.url.slice(url.length)}`
    asked.push({ call, as: bearer.startsWith('ey') ? 'user' : 'key', bearer })
    return fetch(input, init)
  }
  class WatchedSocket extends WebSocket {
    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols)
      sockets += 1
    }
    override send(data: Parameters<WebSocket['send']>[0]) {
      if (typeof data === 'string' && data.includes('"phx_join"'))
        joins.push(/"access_token":"ey/.test(data) ? 'user' : 'key')
      super.send(data)
    }
  }
  const open = (options: OpenOptions = {}): Opened => {
    const client = which === 'official' ? officialApp(options) : chartroomApp(options)
    const events: string[] = []
    client.supabase.auth.onAuthStateChange(event => void events.push(event))
    const all = { ...client, events }
    opened.push(all)
    return all
  }
  const officialApp = (options: OpenOptions) => {
    const supabase = createClient<unknown>(url, key, {
      auth: { storageKey: KEY, storage: page.storage, ...options },
      global: { fetch: ask },
      realtime: { transport: WatchedSocket },
    })
    const dispose = async () => {
      await supabase.removeAllChannels()
      await supabase.auth.dispose()
      await supabase.realtime.disconnect()
    }
    return { supabase: supabase as SupabaseClient, dispose }
  }
  const chartroomApp = (options: OpenOptions) => {
    const mine = createChartroomClient({
      url,
      key,
      auth: { storageKey: KEY, ...options },
      global: { fetch: ask },
      realtime: { transport: WatchedSocket },
    })
    return { supabase: mine.supabase as SupabaseClient, mine, dispose: () => mine.dispose() }
  }
  const app: App = {
    which,
    open,
    page,
    asked,
    joins,
    sockets: () => sockets,
    refreshes: () => asked.filter(({ call }) => call.includes('grant_type=refresh_token')).length,
    stored: () => page.storage.getItem(KEY),
    async keep(left) {
      const response = await fetch(`${url}/auth/v1/token?grant_type=password`, {
        method: 'POST',
        headers: { apikey: key, 'content-type': 'application/json' },
        body: JSON.stringify(skipperOf({ backend })),
      })
      const session = (await response.json()) as { expires_in: number }
      const received_at = Date.now() - (session.expires_in - left) * 1000
      const expires_at = Math.floor(Date.now() / 1000) + left
      page.storage.setItem(KEY, JSON.stringify({ ...session, expires_at, received_at }))
    },
  }
  return { app, close: () => Promise.all(opened.map(each => each.dispose())) }
}
