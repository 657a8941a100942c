// Faults injected from the console are reported in the workbench like real ones.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Fault } from '../../src/public/devtools/control.ts'
import { createClientStore } from '../../src/services/workbench/storage/client-store.ts'
import { backendHealthOf } from '../../src/services/workbench/hosts/index.ts'
import { Banner } from '../../src/ui/app/shell/banner.tsx'
import { renderPage } from '../harness/react.tsx'

const { act } = await import('react')

vi.mock('../../src/ui/app/workspace.tsx', () => ({ useWorkspace: () => ({ active: { key: 'k' } }) }))
vi.stubGlobal('window', new EventTarget())
// The test renderer has no elements; buttons only compare with these classes.
for (const name of ['HTMLElement', 'SVGElement']) vi.stubGlobal(name, EventTarget)
vi.stubGlobal('navigator', { onLine: true })
vi.stubGlobal('location', { pathname: '/account', href: 'http://workbench.test/account' })

const ANSWERS: Readonly<Record<string, unknown>> = { '/auth/v1/settings': { external: {} } }
const host = async (input: string | URL | Request, init?: RequestInit) => {
  await Promise.resolve()
  init?.signal?.throwIfAborted()
  return Response.json(ANSWERS[new URL(input instanceof Request ? input.url : input).pathname] ?? [])
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  vi.stubGlobal('fetch', host)
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(ms => {
    const late = new AbortController()
    setTimeout(() => late.abort(new DOMException('late', 'TimeoutError')), ms)
    return late.signal
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A workbench on a page without an open channel. */
async function workbench() {
  const store = createClientStore(() => new Promise(() => undefined), new Promise(() => undefined))
  store.open({ url: 'http://harbour.test', key: 'k' })
  const client = store.client()
  const control = await store.control()?.open()
  if (!client || !control) throw new Error('There is no client to control')
  const page = await renderPage(client, <Banner host="Harbour" />)
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  await pass(0)
  return {
    client,
    pageText: page.text,
    pass,
    make: async (fault: Fault) => {
      control.faults.set(fault)
      await pass(0)
    },
    clear: async () => {
      control.faults.clear()
      await pass(0)
    },
    ask: async () => {
      void client.fetch('/rest/v1/vessels').catch(() => undefined)
      await pass(0)
    },
  }
}

const SILENT = /^Can’t reach Harbour\. No response since \d+:\d\d:\d\d\s[AP]M\. You stay signed in/

test('unreachable: shown with the first request, until there is a response again', async () => {
  const { pageText, ask, make, clear, pass } = await workbench()
  await make({ kind: 'unreachable' })
  expect(pageText()).toBe('')
  await ask()
  expect(pageText()).toMatch(SILENT)
  expect(pageText()).toMatch(/Next attempt in \d s\.Retry now/)
  await clear()
  await pass(4_000)
  expect(pageText()).toBe('')
})

test('a stalled connection: shown within five seconds of the first request', async () => {
  const { pageText, ask, make, clear, pass } = await workbench()
  await make({ kind: 'slow', delay: 60_000 })
  await ask()
  await pass(4_400)
  expect(pageText()).toBe('')
  await pass(200)
  expect(pageText()).toMatch(SILENT)
  await clear()
  await pass(4_000)
  expect(pageText()).toBe('')
})

test('recovery: shown with the first response to any request, before the next check', async () => {
  const { pageText, ask, make, clear, pass } = await workbench()
  await make({ kind: 'slow', delay: 60_000 })
  await ask()
  await pass(4_600)
  expect(pageText()).toMatch(SILENT)
  await clear()
  await ask()
  expect(pageText()).toBe('')
})

test('maintenance: 503 is named, with the time that the backend asked for', async () => {
  const { pageText, ask, pass } = await workbench()
  let isDown = true
  vi.stubGlobal('fetch', async (...call: Parameters<typeof host>) =>
    isDown ? new Response('', { status: 503, headers: { 'retry-after': '30' } }) : host(...call),
  )
  await ask()
  expect(pageText()).toMatch(
    /^Harbour is under maintenance\. Responding with 503 since \d+:\d\d:\d\d\s[AP]M\..*Next attempt in (29|30) s\.Retry now/,
  )
  isDown = false
  await pass(29_000)
  expect(pageText()).toMatch(/^Harbour is under maintenance/)
  await pass(1_000)
  expect(pageText()).toBe('')
})

test('a slow connection that delivers is not shown as unreachable', async () => {
  const { pageText, ask, make, pass } = await workbench()
  await make({ kind: 'slow', delay: 800 })
  await ask()
  await pass(20_000)
  expect(pageText()).toBe('')
})

test('offline: shown at once, and no longer when it is over', async () => {
  const { pageText, make, clear } = await workbench()
  await make({ kind: 'offline' })
  expect(pageText()).toMatch(/^You’re offline\./)
  await clear()
  expect(pageText()).toBe('')
})

test('a page that has just opened sends no check before its own calls, and notices silence without any', async () => {
  const asked = vi.fn<typeof host>(host)
  vi.stubGlobal('fetch', asked)
  const { client, pageText, make, pass } = await workbench()
  backendHealthOf(client)?.confirm()
  await pass(100)
  expect(asked).not.toHaveBeenCalled()
  await make({ kind: 'unreachable' })
  backendHealthOf(client)?.confirm()
  await pass(5_000)
  expect(pageText()).toMatch(SILENT)
})
