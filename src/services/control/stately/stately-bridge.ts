// Shows a recording in the Stately inspector: opens its window and sends it the recording.
import type { TraceSource } from '../../../trace/index.ts'
import { StatelyTeller } from './stately-messages.ts'

/** Message type by which the inspector reports that it listens. */
const CONNECTED = '@statelyai.connected'
const DISCONNECTED = '@statelyai.disconnected'
/** Steps sent per task. */
const BATCH = 500

/** The parts of the page's window that are used. */
export interface BridgeWindow {
  open(
    url: string,
    name: string,
  ): { postMessage(message: unknown, origin: string): void; readonly closed?: boolean } | null
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void
  removeEventListener(type: 'message', listener: (event: MessageEvent) => void): void
}

/** Options of `createStatelyBridge`. */
export interface StatelyBridgeOptions {
  /** URL of the inspector. Defaults to Stately's, which is on the internet. */
  readonly url?: string
  /** Defaults to the page's window. */
  readonly window?: BridgeWindow
}

/** Connection to a Stately Inspector window. */
export interface StatelyBridge {
  /** False if the browser blocked the window. */
  readonly isOpen: boolean
  /** Number of messages sent; `undefined` until the inspector listens. */
  readonly reportedCount: () => number | undefined
  /** Whether the inspector's window was closed. */
  readonly isGone: () => boolean
  readonly stop: () => void
}

/**
 * Opens the Stately inspector and sends it the recording, including later steps. Only recorded data leaves
 * the page: no secrets, and machine names and structure but never input or code.
 */
export function createStatelyBridge(
  { trace }: { readonly trace: TraceSource },
  { url = 'https://stately.ai/inspect', window: page = window }: StatelyBridgeOptions = {},
): StatelyBridge {
  const { origin } = new URL(url)
  const inspector = page.open(url, 'xstateinspector')
  let teller: StatelyTeller | undefined
  let isDue = false
  let total: number | undefined
  const notify = () => {
    isDue = false
    if (!teller) return
    if (teller.isOutdated) teller = new StatelyTeller(trace)
    let reportedCount = 0
    for (const message of teller.next(BATCH)) {
      inspector?.postMessage(message, origin)
      reportedCount += 1
    }
    total = (total ?? 0) + reportedCount
    if (reportedCount > 0) ask()
  }
  const ask = () => {
    if (isDue) return
    isDue = true
    setTimeout(notify)
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
    reportedCount: () => total,
    isGone: () => inspector?.closed === true,
    stop() {
      teller = undefined
      unsubscribe()
      page.removeEventListener('message', onMessage)
      inspector?.postMessage({ type: DISCONNECTED }, origin)
    },
  }
}
