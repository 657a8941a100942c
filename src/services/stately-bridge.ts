// Shows a recording in Stately's inspector, by choice: opens its window, and tells it what the recording holds.
import type { TraceSource } from '../trace/format.ts'
import { StatelyTeller } from './stately-messages.ts'

/** With which the inspector says that it listens. */
const CONNECTED = '@statelyai.connected'
const DISCONNECTED = '@statelyai.disconnected'
/** Steps in one task. */
const PORTION = 500

/** The part of a page's window that is used. */
export interface BridgeWindow {
  open(
    url: string,
    name: string,
  ): { postMessage(message: unknown, origin: string): void; readonly closed?: boolean } | null
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void
  removeEventListener(type: 'message', listener: (event: MessageEvent) => void): void
}

export interface StatelyBridgeOptions {
  /** Of the inspector; Stately's own unless told, which is on the internet. */
  readonly url?: string
  /** The page's window unless told. */
  readonly window?: BridgeWindow
}

export interface StatelyBridge {
  /** False where the browser opened no window. */
  readonly isOpen: boolean
  /** How many messages it was told; `undefined` before it said that it listens. */
  readonly told: () => number | undefined
  /** Whether its window was closed. */
  readonly isGone: () => boolean
  readonly stop: () => void
}

/**
 * Opens Stately's inspector and tells it the recording so far and as it goes on. Only what the recording holds leaves
 * the page: no secrets, and of machines their names and structure, never input or code.
 */
export function createStatelyBridge(
  { trace }: { readonly trace: TraceSource },
  { url = 'https://stately.ai/inspect', window: page = window }: StatelyBridgeOptions = {},
): StatelyBridge {
  const { origin } = new URL(url)
  const inspector = page.open(url, 'xstateinspector')
  let teller: StatelyTeller | undefined
  let due = false
  let whole: number | undefined
  const tell = () => {
    due = false
    if (!teller) return
    if (teller.isOutdated) teller = new StatelyTeller(trace)
    let told = 0
    for (const message of teller.next(PORTION)) {
      inspector?.postMessage(message, origin)
      told += 1
    }
    whole = (whole ?? 0) + told
    if (told > 0) ask()
  }
  const ask = () => {
    if (due) return
    due = true
    setTimeout(tell)
  }
  const onMessage = ({ source, origin: from, data }: MessageEvent<{ readonly type?: unknown } | null>) => {
    if (source !== inspector || from !== origin || data?.type !== CONNECTED) return
    teller = new StatelyTeller(trace)
    ask()
  }
  page.addEventListener('message', onMessage)
  const unsubscribe = trace.subscribe(ask)
  return {
    isOpen: inspector !== null,
    told: () => whole,
    isGone: () => inspector?.closed === true,
    stop() {
      teller = undefined
      unsubscribe()
      page.removeEventListener('message', onMessage)
      inspector?.postMessage({ type: DISCONNECTED }, origin)
    },
  }
}
