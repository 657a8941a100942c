// Sends a call through the client's auth gate, collects its response, and reports progress to the call's
// machine.
import { type ChartroomClient, describeFailure, type RequestOptions } from '../../client/index.ts'
import type { FunctionCallOptions } from '../jobs/create-function-call.ts'
import type { NetworkTimings } from '../../../machines/workbench/function-call.ts'
import { responseKind } from './describe-response.ts'
import type { OutgoingCall } from './call-request.ts'
import type { ReceivedResponse, Head } from './call-state.ts'
import { createReceiver, type Receiver } from './received.ts'

export interface SendOptions {
  /** Sends as the chosen account. */
  readonly fetch: ChartroomClient['fetch']
  /** The backend's URL. */
  readonly url: string
  readonly requestOptions: RequestOptions
  readonly call: OutgoingCall
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** Called for each chunk of the body. */
  readonly onPiece: () => void
}

type Tell = Parameters<FunctionCallOptions['call']>[0]

/** Minimum interval between progress events in ms; each event is a recorded step. */
const TELL_EVERY = 500

/** A call that is sent once, when its machine starts it. */
export class Sending implements Pick<FunctionCallOptions, 'call' | 'measure'> {
  readonly #options: SendOptions
  #began = 0
  #head: Head | undefined
  #receiver: Receiver | undefined

  constructor(options: SendOptions) {
    this.#options = options
  }

  /** The response received so far. */
  readonly received = (): ReceivedResponse => ({
    ...(this.#head && { head: this.#head }),
    ...(this.#receiver && { body: this.#receiver.body() }),
  })

  /** The stored bytes. */
  readonly blob = (): Blob | undefined => this.#receiver?.blob(this.#head?.type ?? '')

  /** Milliseconds since sending. */
  readonly since = (): number => this.#options.now() - this.#began

  readonly call: FunctionCallOptions['call'] = async (report, signal) => {
    const { fetch, requestOptions, call, now } = this.#options
    this.#began = now()
    try {
      const headers = call.headers.map(([name, value]): [string, string] => [name, value])
      const init = {
        method: call.method,
        headers,
        signal,
        ...(call.body !== undefined && { body: call.body }),
      }
      const onStart = (request: string) => report({ type: 'call.requested', request })
      await this.#read(await fetch(call.path, init, { ...requestOptions, onStart }), report, signal)
    } catch (error) {
      const { message, kind, code } = await describeFailure(error)
      const failure = { message, kind, ...(code === undefined ? {} : { code }) }
      report({ type: 'call.failed', failure, size: this.#size(), duration: this.since() })
    }
  }

  readonly measure = (report: (timings: NetworkTimings) => void): (() => void) => {
    const { url, call } = this.#options
    return measureNetwork(new URL(`${url}${call.path}`).href, report)
  }

  async #read(response: Response, report: Tell, signal: AbortSignal): Promise<void> {
    const head = headOf(response, this.since())
    const receiver = createReceiver(head.kind)
    this.#head = head
    this.#receiver = receiver
    report({ type: 'response.started', status: head.status, kind: head.kind })
    let reportedAt = this.since()
    const reader = response.body?.getReader()
    for (let piece = await reader?.read(); piece?.value; piece = await reader?.read()) {
      // A canceled call may still have events in flight.
      if (signal.aborted) return
      receiver.push(piece.value, this.since())
      this.#options.onPiece()
      if (this.since() - reportedAt < TELL_EVERY) continue
      reportedAt = this.since()
      report({ type: 'response.progressed', size: this.#size() })
    }
    if (signal.aborted) return
    receiver.end(this.since())
    report({ type: 'response.ended', size: this.#size(), duration: this.since() })
  }

  #size = (): number => this.#receiver?.body().size ?? 0
}

function headOf(response: Response, at: number): Head {
  const type = response.headers.get('content-type')
  return {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers],
    kind: responseKind(type),
    type: type ?? '',
    at,
  }
}

/** Reports the browser's network timing; full timing requires the same origin or `Timing-Allow-Origin`. */
function measureNetwork(address: string, report: (timings: NetworkTimings) => void): () => void {
  const observer = new PerformanceObserver(list => {
    for (const entry of list.getEntriesByName(address)) {
      const { startTime, requestStart, responseStart, responseEnd, transferSize, nextHopProtocol } =
        entry as PerformanceResourceTiming
      if (responseStart === 0) continue
      report({
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
