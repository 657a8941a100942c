// Streams hits as server-sent events.
import type { FaultControl } from './control.ts'
import type { FaultHit } from './hits.ts'

export interface HitStream {
  /** An endless response; starts with the hits after `since`. */
  open(since: number): Response
  end(): void
}

/**
 * A reader that falls this many hits behind is disconnected; it can reconnect with the last number it saw.
 */
const MOST_BEHIND = 2_000

const HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }

export function createHitStream(control: FaultControl): HitStream {
  const enders = new Set<() => void>()
  return {
    open(since) {
      let stop = () => {}
      const encoder = new TextEncoder()
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          const report = (hit: FaultHit) => {
            controller.enqueue(encoder.encode(`id: ${hit.seq}\nevent: hit\ndata: ${JSON.stringify(hit)}\n\n`))
            if ((controller.desiredSize ?? 0) < -MOST_BEHIND) end()
          }
          const end = () => {
            stop()
            controller.close()
          }
          // A comment flushes the headers before the first hit.
          controller.enqueue(encoder.encode(': hits\n\n'))
          control.hits(since).forEach(report)
          const unsubscribe = control.onHit(report)
          enders.add(end)
          stop = () => {
            unsubscribe()
            enders.delete(end)
          }
        },
        cancel: () => stop(),
      })
      return new Response(body, { headers: HEADERS })
    },
    end() {
      for (const end of enders) end()
      enders.clear()
    },
  }
}
