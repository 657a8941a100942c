// Response bodies that are slow or cut off.
import type { Pauses } from './pauses.ts'

export interface BodyFault {
  readonly truncate?: number | undefined
  readonly bytesPerSecond?: number | undefined
}

export interface Line {
  readonly pauses: Pauses
  /** Cuts the connection once the written data has been sent. */
  abort(): void
}

/** How often a slow body sends a part. */
const STEPS_PER_SECOND = 20

/** Returns the response with its body slowed down or cut off. */
export function disturbBody(response: Response, fault: BodyFault, line: Line): Response {
  if (!response.body) return response
  const pieces = trickle(breakOff(response.body, fault.truncate), fault.bytesPerSecond, line.pauses)
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next()
        if (!done) return controller.enqueue(value)
        if (fault.truncate === undefined) return controller.close()
        line.abort()
      },
      cancel: () => void pieces.return(undefined),
    },
    { highWaterMark: 0 },
  )
  return new Response(body, response)
}

type Pieces = AsyncGenerator<Uint8Array, void>

async function* breakOff(body: ReadableStream<Uint8Array>, maxBytes = Infinity): Pieces {
  let left = maxBytes
  for await (const chunk of body) {
    if (left > 0) yield chunk.subarray(0, left)
    left -= chunk.byteLength
    if (left <= 0) return
  }
}

async function* trickle(pieces: Pieces, bytesPerSecond: number | undefined, pauses: Pauses): Pieces {
  if (bytesPerSecond === undefined) return yield* pieces
  const size = Math.max(1, Math.floor(bytesPerSecond / STEPS_PER_SECOND))
  for await (const piece of pieces) {
    for (let at = 0; at < piece.byteLength; at += size) {
      await pauses.wait((size / bytesPerSecond) * 1_000)
      yield piece.subarray(at, at + size)
    }
  }
}
