// Receives createBrowserInspector messages from the opener of this page or from the page that frames it.

/** Message with which a receiver announces itself, as in @statelyai/inspect. */
const CONNECTED = '@statelyai.connected'

export interface WindowSource {
  /** Whether there is an opener or parent page. */
  readonly isOpened: boolean
  /** Allows pages of this origin, which asked before. */
  readonly allow: (origin: string) => void
  readonly close: () => void
}

export interface WindowSourceOptions {
  readonly window: Window
  readonly take: (message: unknown) => void
  /** Called when a page from another machine wants to send its actors. */
  readonly onStranger: (origin: string) => void
}

/** Messages buffered per origin until the user allows it. */
const MOST_HELD = 1_000

/** Listens only to the opener or the parent. */
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
  // The message only says that a receiver is ready; the opener's origin cannot be known.
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
