// Faults injected from the console are reported in the workbench like real ones.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Fault } from '../../src/public/control.ts'
import { createClientStore } from '../../src/services/workbench/storage/client-store.ts'
import { Banner } from '../../src/ui/app/shell/banner.tsx'
import { useSilence } from '../../src/ui/app/shell/shell.tsx'
import { renderPage } from '../harness/react.tsx'

const { act } = await import('react')

vi.mock('../../src/ui/app/workspace.tsx', () => ({ useWorkspace: () => ({ active: { key: 'k' } }) }))
vi.stubGlobal('window', new EventTarget())
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

function Line() {
  return <Banner host="Harbour" isSilent={useSilence()} />
}

/** A workbench on a page without an open channel. */
async function workbench() {
  const store = createClientStore(() => new Promise(() => undefined), new Promise(() => undefined))
  store.open({ url: 'http://harbour.test', key: 'k' })
  const client = store.client()
  const control = await store.control()?.open()
  if (!client || !control) throw new Error('There is no client to control')
  const page = await renderPage(client, <Line />)
  const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
  await pass(0)
  return {
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

const SILENT = /^Can’t reach Harbour\. Retrying… You stay signed in/

test('unreachable: shown with the first request, until there is a response again', async () => {
  const { pageText, ask, make, clear, pass } = await workbench()
  await make({ kind: 'unreachable' })
  expect(pageText()).toBe('')
  await ask()
  expect(pageText()).toMatch(SILENT)
  await clear()
  await pass(4_000)
  expect(pageText()).toBe('')
})

test('a stalled connection: shown once neither a request nor a host check got a response', async () => {
  const { pageText, ask, make, clear, pass } = await workbench()
  await make({ kind: 'slow', delay: 60_000 })
  await ask()
  await pass(8_000)
  expect(pageText()).toBe('')
  await pass(8_000)
  expect(pageText()).toMatch(SILENT)
  await clear()
  await pass(4_000)
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
