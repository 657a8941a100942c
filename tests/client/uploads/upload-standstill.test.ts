// An upload on a silently dead connection: no response, no error, no progress. The test controls time.
import { createActor, fromCallback } from 'xstate'
import { expect, test } from 'vitest'
import type { TransferEvent } from '../../../src/machines/ports.ts'
import { DEFAULT_TIMINGS, type UploadInfo, uploadsStatus } from '../../../src/machines/index.ts'
import { memoryStorage } from '../../../src/services/client/index.ts'
import { composeUploads, type UploadPorts } from '../../../src/services/client/uploads/compose-uploads.ts'
import { createTransferPort, PART } from '../../../src/services/client/uploads/transfer.ts'
import { createTusUrlStorage } from '../../../src/services/client/uploads/uploads-parts.ts'
import { createVirtualClock } from '../../../src/testing/virtual-clock.ts'
import { phaseWords } from '../../../src/services/workbench/files/index.ts'

const BYTES = PART + 1_000_000
const MINUTE = 60_000
const info: UploadInfo = {
  id: '1',
  bucket: 'charts',
  path: 'chart.png',
  bytes: BYTES,
  mime: 'image/png',
  limits: {},
  onConflict: 'replace',
  reportsProgress: true,
}

function upload(
  transfer: UploadPorts['transfer'],
  clock = createVirtualClock(),
  more: Partial<UploadInfo> = {},
) {
  const checkName = fromCallback(() => undefined) as UploadPorts['checkName']
  const actor = createActor(composeUploads({ checkName, transfer }).uploads, {
    clock,
    input: { timings: DEFAULT_TIMINGS, seed: 1 },
  })
  actor.start()
  actor.send({ type: 'uploads.add', uploads: [{ ...info, ...more }] })
  const now = () => uploadsStatus(actor.getSnapshot())[0]
  return {
    actor,
    clock,
    now,
    words: () => {
      const status = now()
      return status && phaseWords(status)
    },
  }
}

/** A host that takes parts, and leaves the second one unanswered while it is unresponsive. */
function host() {
  const requests: string[] = []
  const state = { isSilent: true, has: 0, open: 0, time: 0 }
  const take = (init: RequestInit) => {
    if (init.body instanceof Blob) state.has += init.body.size
    const headers = { 'upload-offset': String(state.has), 'upload-length': String(BYTES), location: '/up/1' }
    return new Response(null, { status: init.method === 'POST' ? 201 : 204, headers })
  }
  const fetch = (_: unknown, init: RequestInit = {}): Promise<Response> => {
    const offset = new Headers(init.headers).get('upload-offset')
    requests.push(offset === null ? String(init.method) : `${init.method} ${offset}`)
    if (!(state.isSilent && offset === String(PART))) return Promise.resolve(take(init))
    state.open += 1
    return new Promise((_resolve, reject) => {
      const { signal } = init
      signal?.addEventListener('abort', () => {
        state.open -= 1
        reject(signal.reason as Error)
      })
    })
  }
  const clock = createVirtualClock()
  const content = { blob: new Blob([new Uint8Array(BYTES)]), mime: 'image/png', mark: '1' }
  const transfer = createTransferPort({
    url: 'http://harbour.test',
    key: 'k',
    fetch: fetch as typeof globalThis.fetch,
    // Every progress event is reported.
    now: () => (state.time += 1_000),
    contents: new Map([['1', content]]),
    urlStorage: createTusUrlStorage(memoryStorage(), 'x'),
  })
  return { requests, state, ...upload(transfer as UploadPorts['transfer'], clock) }
}

const SENT = ['POST', 'PATCH 0', `PATCH ${PART}`]

test('a stalled part is watched for a full minute and then sent again from where it arrived', async () => {
  const { requests, state, clock, now, words } = host()
  await expect.poll(() => requests).toEqual(SENT)
  expect(now()).toMatchObject({ phase: 'sending', sent: PART, resumable: true })
  expect(words()).toBe('6.3 MB of 7.3 MB')
  clock.advance(MINUTE / 6)
  expect(words()).toBe('6.3 MB of 7.3 MB, stalled')
  clock.advance((MINUTE / 6) * 5 - 1)
  expect([requests, state.open, now()?.phase]).toEqual([SENT, 1, 'sending'])
  clock.advance(1)
  expect(state.open).toBe(0)
  expect(now()?.failure).toEqual({
    kind: 'timeout',
    code: 'stalled',
    message: 'The upload made no progress for a minute.',
  })
  expect(words()).toBe('retrying automatically (1, resumes at 6.3 MB)')
  state.isSilent = false
  clock.advance(MINUTE)
  await expect.poll(() => now()?.phase).toBe('done')
  expect([requests, state.has]).toEqual([[...SENT, 'HEAD', `PATCH ${PART}`], BYTES])
})

test.each([
  ['before the stall is reported', 1_000],
  ['after the stall is reported', MINUTE / 2],
])('a stalled upload can be canceled %s', async (_, after) => {
  const { requests, state, actor, clock, now } = host()
  await expect.poll(() => requests).toEqual(SENT)
  clock.advance(after)
  actor.send({ type: 'upload.command', id: '1', command: { type: 'upload.cancel' } })
  expect([now()?.phase, state.open, clock.pending()]).toEqual(['canceled', 0, 0])
})

const told = () => {
  const port: { report?: (event: TransferEvent) => void } = {}
  const transfer = fromCallback(({ sendBack }) => {
    port.report = sendBack
  }) as UploadPorts['transfer']
  return { port, transfer }
}

test('any progress restarts the minute', () => {
  const { port, transfer } = told()
  const { clock, now, words } = upload(transfer)
  for (const sent of [1_000, 2_000, 3_000]) {
    clock.advance(MINUTE - 1)
    expect(words()).toMatch(/stalled$/)
    port.report?.({ type: 'transfer.progressed', sent, resumable: true })
    expect(words()).not.toMatch(/stalled$/)
  }
  clock.advance(MINUTE)
  expect(now()?.phase).toBe('retrying')
})

test('nine minutes without progress end the upload, with the reason', () => {
  const { clock, now } = upload(told().transfer)
  clock.advance(15 * MINUTE)
  expect(now()).toMatchObject({ phase: 'failed', attempts: 9, failure: { code: 'stalled' } })
})

test('where progress is not reported, a long silence does not count as a dead connection', () => {
  const { clock, now, words } = upload(told().transfer, createVirtualClock(), { reportsProgress: false })
  clock.advance(3 * MINUTE)
  expect([now()?.phase, words()]).toEqual(['sending', 'starting'])
})
