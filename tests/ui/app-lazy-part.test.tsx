// A part of the app whose code neither loads nor fails: this is shown in its place, and replaced when it
// loads.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ChartroomClient } from '../../src/public/index.ts'
import { lazyPart } from '../../src/ui/app/lazy-part.tsx'
import { renderPage } from '../harness/react.tsx'

const { act } = await import('react')

// Browser APIs that buttons need.
for (const name of ['HTMLElement', 'SVGElement'] as const) vi.stubGlobal(name, window[name])

const { notify } = vi.hoisted(() => ({ notify: vi.fn<(notice: unknown) => void>() }))
vi.mock('../../src/ui/app/shell/notify.ts', () => ({ notify }))

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.clearAllMocks()
})

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const client = {
  status: () => ({ session: { phase: 'signedOut' } }),
  onStatus: () => () => undefined,
} as unknown as ChartroomClient
const Work = () => <p>the work</p>

test('shows a message after a while, and the part once it loads', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof Work>()
  const Part = lazyPart('your work', () => promise, { whileLoading: <p>Loading your work…</p> })
  const page = await renderPage(client, <Part />)
  await pass(14_999)
  expect(page.text()).toBe('Loading your work…')
  await pass(1)
  expect(page.text()).toMatch(/^Your work is taking a long time to load.*Reload the app/)
  resolve(Work)
  await pass(0)
  expect([page.text(), notify.mock.calls]).toEqual(['the work', []])
})

test('a part above the page is announced by a notice, and opens when it loads', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof Work>()
  const giveUp = vi.fn<() => void>()
  const Part = lazyPart('the dialog', () => promise, { whileLoading: null, giveUp })
  const page = await renderPage(client, <Part />)
  await pass(15_000)
  expect(notify.mock.calls).toMatchObject([
    [{ id: 'the dialog', title: 'The dialog is taking a long time to load' }],
  ])
  expect([page.text(), giveUp.mock.calls]).toEqual(['', []])
  resolve(Work)
  await pass(0)
  expect(page.text()).toBe('the work')
})
