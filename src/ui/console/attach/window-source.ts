// Takes what the page that opened this one, or that holds it in a frame, tells of itself with createBrowserInspector.

/** With which a receiver says that it listens, as @statelyai/inspect does. */
const CONNECTED = '@statelyai.connected'

export interface WindowSource {
  /** Whether there is a page that could tell of itself. */
  readonly isOpened: boolean
  /** Lets pages of this origin in, which asked to be. */
  readonly allow: (origin: string) => void
  readonly close: () => void
}

export interface WindowSourceOptions {
  readonly window: Window
  readonly take: (message: unknown) => void
  /** Another page than one of this machine wants to tell of itself. */
  readonly onStranger: (origin: string) => void
}

/** Held back of an origin until somebody lets it in. */
const MOST_HELD = 1_000

/** Listens to the opener or the parent, and to nobody else. */
export function openWindowSource({ window, take, onStranger }: WindowSourceOptions): WindowSource {
  const teller = window.self === window.top ? (window.opener as Window | null) : window.parent
  const allowed = new Set([window.location.origin])
  const held = new Map<string, unknown[]>()
  const listener = ({ source, origin, data }: MessageEvent<unknown>) => {
    if (teller === null || source !== teller) return
    if (allowed.has(origin) || isLoopback(origin)) return take(data)
    const waiting = held.get(origin)
    if (waiting) return void (waiting.length < MOST_HELD && waiting.push(data))
    held.set(origin, [data])
    onStranger(origin)
  }
  window.addEventListener('message', listener)
  // It says nothing but that somebody listens, and where the opener comes from cannot be known.
  teller?.postMessage({ type: CONNECTED }, '*')
  return {
    isOpened: teller !== null,
    allow(origin) {
      allowed.add(origin)
      for (const message of held.get(origin) ?? []) take(message)
      held.delete(origin)
    },
    close: () => window.removeEventListener('message', listener),
  }
}

function isLoopback(origin: string): boolean {
  const host = URL.canParse(origin) ? new URL(origin).hostname : ''
  return host === 'localhost' || host === '127.0.0.1' || host === '[::1]'
}
