// A streaming body for the app that also reports to the request actor when it ends, breaks or stalls.
import { brokenOff, type Failure, type SendEvent, timedOut } from '../../../machines/index.ts'

export interface WatchedBody {
  readonly stream: ReadableStream<Uint8Array>
  /** Called periodically: reports if nothing was received since the last call. */
  check(): void
  /** Ends reading with an error. */
  fail(error: unknown): void
}

/**
 * Chunks are passed on only when the app reads them. A server that keeps the app waiting has stalled. If the
 * app does not read, the request stops waiting for it.
 */
export function watchBody(
  body: ReadableStream<Uint8Array>,
  report: (event: Extract<SendEvent, { type: 'body.ended' | 'body.failed' }>) => void,
): WatchedBody {
  const reader = body.getReader()
  let controller: ReadableStreamDefaultController<Uint8Array>
  let isWanted = false
  let hasMoved = true
  let bytes = 0
  const stream = new ReadableStream<Uint8Array>(
    {
      start: bodyController => {
        controller = bodyController
      },
      async pull() {
        isWanted = hasMoved = true
        try {
          const { done, value } = await reader.read()
          if (done) {
            report({ type: 'body.ended', bytes })
            controller.close()
          } else {
            bytes += value.byteLength
            controller.enqueue(value)
          }
        } catch {
          report({ type: 'body.failed', failure: brokenOff })
        }
        isWanted = false
        hasMoved = true
      },
      cancel(reason) {
        report({ type: 'body.ended', bytes })
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
  return {
    stream,
    check() {
      if (!hasMoved)
        report(isWanted ? { type: 'body.failed', failure: stalled } : { type: 'body.ended', bytes })
      hasMoved = false
    },
    fail: error => controller.error(error),
  }
}

const stalled: Failure = { ...timedOut('The response'), code: 'stalled' }
