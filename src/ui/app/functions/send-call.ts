// Sends a call through the client's gate and tells of its answer as it comes.
import { describeFailure } from '../../../index.ts'
import type { AnyDataClient } from '../database.ts'
import { answerKind } from './answer-kind.ts'
import type { OutgoingCall } from './call-request.ts'
import type { CallFailure, Head, LineTimes } from './call-state.ts'
import { createReceiver, type Receiver } from './received.ts'

export interface SendOptions {
  /** A client whose calls are made as whom and how they are to be. */
  readonly data: AnyDataClient
  /** The backend's address. */
  readonly url: string
  readonly call: OutgoingCall
  readonly signal: AbortSignal
  /** Monotonic milliseconds. */
  readonly now: () => number
}

export interface SendListeners {
  readonly onHead: (head: Head) => void
  readonly onBody: (receiver: Receiver) => void
  readonly onEnd: (receiver: Receiver, duration: number) => void
  readonly onFailure: (failure: CallFailure, duration: number) => void
  readonly onLine: (line: LineTimes) => void
}

/**
 * The fetch behind supabase-js: its calls are requests of the machines like any other. `functions.invoke` reads an
 * answer to its end before it hands it out, and keeps those parts of it to itself that it has no use for.
 */
const gatedFetch = (data: AnyDataClient): typeof globalThis.fetch => {
  const { fetch } = data.schema('public')
  if (fetch === undefined) throw new Error('There is no fetch behind this client.')
  return fetch
}

/** Resolves when all is told; never rejects. */
export async function sendCall(options: SendOptions, tell: SendListeners): Promise<void> {
  const { data, url, call, signal, now } = options
  const began = now()
  const since = () => now() - began
  const address = new URL(`${url}${call.path}`).href
  const stopWatching = watchLine(address, tell.onLine)
  try {
    const response = await gatedFetch(data)(address, {
      method: call.method,
      headers: call.headers.map(([name, value]) => [name, value]),
      signal,
      ...(call.body === undefined ? {} : { body: call.body }),
    })
    const head = headOf(response, since())
    tell.onHead(head)
    const receiver = createReceiver(head.kind)
    await readBody(response, receiver, since, tell.onBody)
    receiver.end(since())
    tell.onEnd(receiver, since())
  } catch (error) {
    const { message, kind, code } = await describeFailure(error)
    tell.onFailure({ message, kind, ...(code === undefined ? {} : { code }) }, since())
  } finally {
    // The browser tells what it measured a moment after the end.
    setTimeout(stopWatching, 2_000)
  }
}

function headOf(response: Response, at: number): Head {
  const type = response.headers.get('content-type')
  return {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers],
    kind: answerKind(type),
    type: type ?? '',
    at,
  }
}

async function readBody(
  response: Response,
  receiver: Receiver,
  since: () => number,
  onBody: (receiver: Receiver) => void,
): Promise<void> {
  const reader = response.body?.getReader()
  if (!reader) return
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    receiver.push(value, since())
    onBody(receiver)
  }
}

/** What the browser says of the time on the line; only its own pages may know all of it. */
function watchLine(address: string, tell: (line: LineTimes) => void): () => void {
  const observer = new PerformanceObserver(list => {
    for (const entry of list.getEntriesByName(address)) {
      const { startTime, requestStart, responseStart, responseEnd, transferSize, nextHopProtocol } =
        entry as PerformanceResourceTiming
      if (responseStart === 0) continue
      tell({
        waiting: responseStart - (requestStart || startTime),
        download: responseEnd - responseStart,
        transferred: transferSize,
        protocol: nextHopProtocol,
      })
    }
  })
  observer.observe({ type: 'resource' })
  return () => observer.disconnect()
}
