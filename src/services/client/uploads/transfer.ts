// Sends the content of an upload: small files in one request, large ones in parts if the backend supports it.
import { fromCallback, type EventObject } from 'xstate'
import { bug, type TransferEvent } from '../../../machines/index.ts'
import { describeFailure } from '../requests/describe-failure.ts'
import type { TusUrlStorage } from './uploads-parts.ts'
import { callStorage, encodePath, failureOf, isTaken, refusalOf, type StorageHost } from './storage-call.ts'

/** The content of an upload, by the id that machines use. */
export interface Content {
  readonly blob: Blob
  readonly mime: string
  /** Distinguishes this file from others with its name and size, also across reloads. */
  readonly mark: string
}

/** Contents of uploads that may still be sent. */
export type Contents = Map<string, Content>

/** A backend, and where the URLs of resumable uploads are stored. */
export interface PartsHost extends StorageHost {
  readonly urlStorage: TusUrlStorage
}

export interface TransferHost extends PartsHost {
  readonly now: () => number
  readonly contents: Contents
}

export interface TransferInput {
  readonly id: string
  readonly bucket: string
  readonly path: string
  readonly replace: boolean
  readonly attempt: number
}

/** Content and destination of an upload. */
export interface Placement {
  readonly bucket: string
  readonly path: string
  readonly content: Content
}

export interface PartsToSend extends Placement {
  readonly replace: boolean
  readonly signal: AbortSignal
  readonly sent: (bytes: number, resumable: boolean) => void
}

interface Sending extends TransferInput, PartsToSend {}

/** Part size in bytes, and limit for a single request; hosted projects require exactly this size. */
export const PART = 6 * 1024 * 1024
/** Minimum interval between progress events, in ms; each is a step in the recording. */
const TELL_EVERY = 100

async function sendWhole(host: StorageHost, sending: Sending): Promise<TransferEvent> {
  const { bucket, path, replace, content, signal, sent } = sending
  const response = await callStorage(host, `/object/${encodeURIComponent(bucket)}/${encodePath(path)}`, {
    method: 'POST',
    headers: {
      'cache-control': 'max-age=3600',
      'content-type': content.mime || 'application/octet-stream',
      'x-upsert': String(replace),
    },
    body: content.blob,
    signal,
    sent: bytes => sent(bytes, false),
  })
  if (response.ok) return { type: 'transfer.done' }
  const refusal = await refusalOf(response)
  if (isTaken(response.status, refusal)) return { type: 'transfer.conflicted' }
  return { type: 'transfer.failed', failure: await failureOf(response.status, refusal) }
}

/** Loads the code that sends a file in parts, with the TUS library. */
export const loadSendInParts = async () => (await import('./send-parts.ts')).sendInParts

/** Remembers whether the backend supports parts, so that a backend without them is asked only once. */
export function createTransferPort(host: TransferHost) {
  let takesParts = true
  const send = async (sending: Sending): Promise<TransferEvent> => {
    if (takesParts && sending.content.blob.size > PART) {
      const sendInParts = await loadSendInParts()
      const event = await sendInParts(host, sending)
      if (event !== 'notTaken') return event
      takesParts = false
    }
    return sendWhole(host, sending)
  }
  return fromCallback<EventObject, TransferInput, TransferEvent>(({ input, sendBack }) => {
    const left = new AbortController()
    let reportedAt = Number.NEGATIVE_INFINITY
    const report = (event: TransferEvent) => {
      if (!left.signal.aborted) sendBack(event)
    }
    const sent = (bytes: number, resumable: boolean) => {
      const now = host.now()
      if (now - reportedAt < TELL_EVERY) return
      reportedAt = now
      report({ type: 'transfer.progressed', sent: bytes, resumable })
    }
    const run = async () => {
      const content = host.contents.get(input.id)
      if (!content) throw new Error(`upload ${input.id} has no content`)
      report(
        await send({ ...input, content, signal: left.signal, sent }).catch(async (error: unknown) => ({
          type: 'transfer.failed' as const,
          failure: await describeFailure(error),
        })),
      )
    }
    run().catch((error: unknown) => report({ type: 'port.broken', failure: bug(error) }))
    return () => left.abort()
  })
}
