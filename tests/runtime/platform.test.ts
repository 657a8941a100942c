// A client on an engine without newer globals, such as React Native's, in a separate process.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { root } from '../../scripts/tool.ts'
import {
  abortReason,
  anySignal,
  parseUrl,
  plainCopy,
  throwIfAborted,
} from '../../src/services/runtime/index.ts'
import { KEY, sessionBody, URL_BASE } from '../harness/fake-backend.ts'

const run = promisify(execFile)

/** Removes what React Native lacks, and what its AbortController lacks. */
const REMOVE = `
  // Node's own fetch uses them.
  await new Response(new FormData()).text()
  for (const name of ['structuredClone', 'crypto', 'BroadcastChannel', 'document', 'navigator', 'ReadableStream',
    'DOMException', 'CompressionStream', 'MessageChannel', 'location', 'WebSocket', 'TextDecoder'])
    delete globalThis[name]
  delete URL.canParse
  delete AbortSignal.any
  delete AbortSignal.timeout
  delete AbortSignal.prototype.throwIfAborted
  delete Promise.withResolvers
  Object.defineProperty(AbortSignal.prototype, 'reason', { get: () => undefined })
`

const USE = `
  const { createChartroomClient } = await import('./src/public/index.ts')
  const session = ${JSON.stringify(sessionBody('first'))}
  // Its responses have no body to stream.
  const answer = text => ({
    ok: true, status: 200, statusText: '', headers: new Headers(), url: '', body: undefined,
    text: async () => text, json: async () => JSON.parse(text), clone: () => answer(text),
  })
  const fetch = async (input, init) => {
    if (init?.signal?.aborted) throw new Error('aborted')
    return answer(JSON.stringify(String(input).includes('/token') ? session : [{ id: 1 }]))
  }
  const client = createChartroomClient('${URL_BASE}', '${KEY}', { global: { fetch } })
  const { error, data } = await client.supabase.auth.signInWithPassword({ email: 'a@b.test', password: 'c' })
  const rows = await client.with({ signal: new AbortController().signal, idempotencyKey: 'a' })
    .from('vessels').insert(new Array(3).fill({ id: 1 })).select().abortSignal(new AbortController().signal)
  const left = new AbortController()
  left.abort()
  const late = await client.supabase.from('vessels').select().abortSignal(left.signal)
  const form = new FormData()
  delete Object.getPrototypeOf(form).values
  form.append('a', 'b')
  const sent = await client.fetch('/functions/v1/echo', { method: 'POST', body: form })
  const channel = client.supabase.channel('a')
  channel.subscribe()
  await client.supabase.removeChannel(channel)
  console.log(JSON.stringify({
    error, user: data.user?.id, rows: rows.data, late: late.error?.message, sent: sent.status,
    phase: client.status().session.phase,
  }))
  await client.dispose()
  process.exit()
`

test('a client signs in, sends requests and opens channels without newer globals', async () => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', REMOVE + USE], { cwd: root })
  expect(JSON.parse(stdout)).toEqual({
    error: null,
    user: sessionBody('first').user.id,
    rows: [{ id: 1 }],
    late: expect.stringContaining('This operation was aborted'),
    sent: 200,
    phase: 'authenticated',
  })
})

test('what replaces a part that is missing works like it', () => {
  vi.stubGlobal('structuredClone', undefined)
  const data = { at: [1, { name: 'a' }] }
  expect(plainCopy(data)).toEqual(data)
  expect(plainCopy(data).at).not.toBe(data.at)
  vi.unstubAllGlobals()
  expect(parseUrl('https://a.test/b')?.pathname).toBe('/b')
  expect(parseUrl('a')).toBeUndefined()
  const { any } = AbortSignal
  Object.assign(AbortSignal, { any: undefined })
  const [one, other] = [new AbortController(), new AbortController()]
  const signal = anySignal([one.signal, other.signal])
  expect(signal.aborted).toBe(false)
  expect(() => throwIfAborted(signal)).not.toThrow()
  other.abort(new Error('left'))
  expect(signal.reason).toEqual(new Error('left'))
  expect(() => throwIfAborted(signal)).toThrow('left')
  expect(anySignal([one.signal, other.signal]).aborted).toBe(true)
  Object.assign(AbortSignal, { any })
  expect(abortReason({})).toMatchObject({ name: 'AbortError' })
})
