// What loads before the first page: startup, the router, and supabase-js when it fails to load.
import { Window } from 'happy-dom'
import { afterEach, expect, test, vi } from 'vitest'
import { callAuth } from '../../src/services/workbench/auth/sign-in-ports.ts'
import { explainAuthFailure } from '../../src/services/workbench/auth/explain.ts'
import { createAppStartup } from '../../src/ui/app/app-startup.ts'
import { createLazyRouter } from '../../src/ui/app/lazy-router.ts'
import { wasSignedIn } from '../../src/ui/app/was-signed-in.ts'

vi.mock(import('../../src/services/client/client-before-supabase.ts'), () => ({
  loadSupabase: () => Promise.reject(new TypeError('Failed to fetch dynamically imported module')),
  createClientBeforeSupabase: () => {
    throw new Error('not created here')
  },
}))

vi.stubGlobal('localStorage', new Window().localStorage)

afterEach(() => {
  localStorage.clear()
  vi.useRealTimers()
})

test('startup is quiet shortly after the first page is usable, and not before', async () => {
  vi.useFakeTimers()
  const opening = createAppStartup()
  const reported: string[] = []
  void opening.quiet.then(() => reported.push('quiet'))
  await vi.advanceTimersByTimeAsync(5_000)
  expect(reported).toEqual([])
  opening.usable()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(reported).toEqual(['quiet'])
})

test('the router is created once, on first use, and the others are notified', async () => {
  const router = { history: { subscribe: vi.fn<() => void>() }, updateLatestLocation: () => undefined }
  const make = vi.fn<() => never>(() => router as never)
  const later = createLazyRouter()
  const received: unknown[] = []
  later.subscribe(() => received.push(later.current()))
  expect(later.current()).toBeUndefined()
  expect([later.take(make), later.take(make)]).toEqual([router, router])
  const led: unknown[] = []
  later.whenThere(there => led.push(there))
  await vi.waitFor(() => expect(received).toEqual([router]))
  expect([make.mock.calls.length, led, router.history.subscribe.mock.calls]).toEqual([
    1,
    [router],
    [[router.updateLatestLocation]],
  ])
})

test.each([
  ['never', '', undefined, false],
  ['a signed-out user', '', { last: 'main', slots: [{ id: 'main', user: null }] }, false],
  ['a user', '', { last: 'main', slots: [{ id: 'main', user: { id: '7' } }] }, true],
  ['a code in the link', '?code=11111111-2222-4333-8444-555555555555', undefined, true],
  ['tokens in the link, which are not accepted', '#access_token=a.b.c', undefined, false],
])('was signed in: %s', (_, search, book, expected) => {
  if (book) localStorage.setItem('chartroom.ui.accounts.http://harbour.test', JSON.stringify(book))
  expect(wasSignedIn(search)).toBe(expected)
})

test('a part that fails to load is reported as such, and not as an unreachable backend', async () => {
  const called = await callAuth({} as never, () => Promise.resolve({ data: {}, error: null }))
  expect(called.ok ? 'it went well' : explainAuthFailure(called.failure)).toBe(
    'A part of Chartroom could not be loaded because the server that hosts it is not responding. Try again.',
  )
})
