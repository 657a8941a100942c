// Live apps of `chartroom serve`: connects to it as its console does, and records what each app sends.
import { WebSocket } from 'ws'
import { encodeFile, ForeignTrace } from '../../trace/index.ts'
import { CONSOLE_PATH } from '../serve-server.ts'
import type { LiveApps } from './live.ts'

/** The default port of `chartroom serve`. */
const DEFAULT_URL = 'http://localhost:8080'
/** A server of this machine answers at once, in milliseconds. */
const PATIENCE = 1000

interface AppMessage {
  readonly from?: unknown
  readonly text?: unknown
  readonly disconnected?: unknown
  readonly apps?: unknown
}

/** @param url that of `chartroom serve`; without one, it is looked for at its default port */
export function serveApps(url = DEFAULT_URL): LiveApps {
  const apps = new Map<string, App>()
  let socket: WebSocket | undefined
  let ready: Promise<void> | undefined

  const connect = (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { host, origin } = new URL(url)
    const opened = new WebSocket(`ws://${host}${CONSOLE_PATH}`, { origin, handshakeTimeout: PATIENCE })
    socket = opened
    apps.clear()
    opened.on('message', data => {
      const message = parsed(String(data as Buffer))
      if (typeof message.from === 'string' && typeof message.text === 'string')
        appOf(message.from).take(message.text)
      if (typeof message.disconnected === 'string') appOf(message.disconnected).end()
      // The server has sent what it knew before.
      if (Array.isArray(message.apps)) resolve()
    })
    opened.on('error', () => opened.terminate())
    opened.on('close', () => {
      ready = undefined
      resolve()
    })
    return promise
  }
  const appOf = (from: string): App => {
    const app = apps.get(from) ?? new App()
    apps.set(from, app)
    return app
  }
  const need = async (id: string): Promise<App> => {
    await (ready ??= connect())
    const app = [...apps].find(([from]) => idOf(from) === id)?.[1]
    if (!app) throw new Error('The app is gone. The tool "recordings" lists those that run.')
    return app
  }
  return {
    async list() {
      await (ready ??= connect())
      return [...apps]
        .filter(([, app]) => app.hasSteps)
        .map(([from, app]) => ({ ...app.display, id: idOf(from), from: 'serve' as const, canControl: false }))
    },
    recording: async id => {
      const app = await need(id)
      return { version: app.version, bytes: app.bytes }
    },
    command: () =>
      Promise.reject(
        new Error('Apps of `chartroom serve` only send: they cannot be controlled. Use `vite dev`.'),
      ),
    close: () => socket?.terminate(),
  }
}

const idOf = (from: string): string => `serve-${from.replaceAll(/[^\w-]/g, '')}`

function parsed(text: string): AppMessage {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

class App {
  readonly #trace = new ForeignTrace({ defer: run => queueMicrotask(run) })
  #hasEnded = false

  get hasSteps(): boolean {
    return this.#trace.steps.length > 0
  }

  get display(): { readonly label: string; readonly isRunning: boolean } {
    const root = this.#trace.actors[0]
    return { label: root?.src ?? 'app', isRunning: !this.#hasEnded }
  }

  get version(): string {
    return String(this.#trace.version())
  }

  take(text: string): void {
    this.#trace.take(text)
  }

  end(): void {
    this.#hasEnded = true
  }

  readonly bytes = (): Promise<Uint8Array> => {
    this.#trace.settle()
    const { header, actors, stimuli, steps, bookmarks, damage, live, version, subscribe } = this.#trace
    const none = { tape: [], keyframes: [], hashes: [] }
    return encodeFile({
      header,
      actors,
      stimuli,
      steps,
      bookmarks,
      damage,
      live,
      version,
      subscribe,
      ...none,
    })
  }
}
