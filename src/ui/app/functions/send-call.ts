// Sends a call through the client's gate and tells of its answer as it comes.
import { describeFailure, type ChartroomClient, type RequestOptions } from '../../../index.ts'
import { answerKind } from './answer-kind.ts'
import type { OutgoingCall } from './call-request.ts'
import type { CallFailure, Head, LineTimes } from './call-state.ts'
import { createReceiver, type Receiver } from './received.ts'

export interface SendOptions {
  /** Calls as whom it is to be. */
  readonly fetch: ChartroomClient['fetch']
  /** The backend's address. */
  readonly url: string
  readonly asked: RequestOptions
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

/** Resolves when all is told; never rejects. */
export async function sendCall(options: SendOptions, tell: SendListeners): Promise<void> {
  const { fetch, url, asked, call, signal, now } = options
  const began = now()
  const since = () => now() - began
  const address = new URL(`${url}${call.path}`).href
  const stopWatching = watchLine(address, tell.onLine)
  try {
    const headers = call.headers.map(([name, value]): [string, string] => [name, value])
    const init = { method: call.method, headers, signal, ...(call.body !== undefined && { body: call.body }) }
    const response = await fetch(call.path, init, asked)
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
