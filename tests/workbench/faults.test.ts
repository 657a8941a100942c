// Failures during work in progress, in texts and states: nothing is lost, and nothing fails silently.
import { AuthSessionMissingError } from '@supabase/supabase-js'
import { expect, test, vi } from 'vitest'
import type { ChartroomClient } from '../../src/public/index.ts'
import { callAuth } from '../../src/services/workbench/auth/index.ts'
import { type RpcResponse, RpcStore } from '../../src/services/workbench/functions/index.ts'
import { readSaved, toSave, writeSaved } from '../../src/services/workbench/table/index.ts'
import type { CallSpec } from '../../src/services/workbench/rest/index.ts'

const clientIn = (phase: 'authenticated' | 'signedOut') => {
  const refresh = vi.fn<() => Promise<void>>(() => Promise.resolve())
  const client = { auth: { refresh }, supabase: { auth: {} }, status: () => ({ session: { phase } }) }
  return { client: client as unknown as ChartroomClient, refresh }
}
const gone = () => Promise.resolve({ data: null, error: new AuthSessionMissingError() })

test('an account whose session was ended elsewhere checks the session for the reason', async () => {
  const { client, refresh } = clientIn('authenticated')
  expect(await callAuth(client, gone)).toEqual({
    ok: false,
    failure: {
      kind: 'auth',
      code: 'session_not_found',
      message: 'The backend no longer knows this session.',
    },
  })
  expect(refresh).toHaveBeenCalledOnce()
})

test('a signed-out account has no session to request', async () => {
  const { client, refresh } = clientIn('signedOut')
  expect(await callAuth(client, gone)).toMatchObject({ ok: false })
  expect(refresh).not.toHaveBeenCalled()
})

test('a query that the browser’s storage rejects is reported as not saved', () => {
  let isFull = false
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => {
      if (isFull) throw new DOMException('full', 'QuotaExceededError')
      stored.set(key, text)
    },
  })
  const one = toSave('From Z to A', {
    schema: 'public',
    table: 'vessels',
    columns: [],
    filters: [],
    sorts: [{ column: 'name', direction: 'desc' }],
  })
  expect(writeSaved('http://a:1', [one])).toBe(true)
  isFull = true
  expect(writeSaved('http://a:1', [])).toBe(false)
  expect(readSaved('http://a:1')).toEqual([one])
  vi.unstubAllGlobals()
})

test('a database function call continues in the background; a later one replaces it', async () => {
  const requests: { spec: CallSpec; signal: AbortSignal; answer: (answer: RpcResponse) => void }[] = []
  const spec: CallSpec = { method: 'POST', path: '/rest/v1/rpc/log_wind', body: { wind: 'N 4' } }
  const answer: RpcResponse = { status: 200, ms: 5, requestId: 'r1', text: '41', value: 41, spec }
  const draft = { method: 'POST', mode: 'form', texts: { wind: 'N 4' }, json: '{}' } as const
  const recordings: unknown[] = []
  const store = new RpcStore(draft, {
    name: 'log_wind',
    send: (sent, signal, onStart) =>
      new Promise(resolve => {
        onStart('r1')
        requests.push({ spec: sent, signal, answer: resolve })
      }),
    now: () => 7,
    onCalled: ({ recording }) => recordings.push(recording),
  })
  const leave = store.subscribe(() => undefined)
  store.call(spec)
  leave()
  expect(store.state()).toEqual({ draft, errors: {}, isPending: true })
  store.call({ ...spec, body: { wind: 'N 5' } })
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false])
  requests[0]?.answer({ ...answer, text: 'of the first' })
  requests[1]?.answer(answer)
  await vi.waitFor(() => expect(store.state()).toEqual({ draft, errors: {}, isPending: false, answer }))
  expect(recordings).toHaveLength(2)
})
