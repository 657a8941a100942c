// Pages without content redirect to one with content, unless the user has navigated in the meantime.
import '../../../harness/react.tsx'
import { createMemoryHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { act, useSyncExternalStore } from 'react'
import { expect, test, vi } from 'vitest'

// The router treats a window without it as a server.
vi.stubGlobal('self', window)
vi.stubGlobal('scrollTo', () => undefined)
const { createRoot } = await import('react-dom/client')
const { flushSync } = await import('react-dom')
const { Navigate, RouterProvider } = await import('@tanstack/react-router')
const { Redirect } = await import('../../../../src/ui/app/shell/redirect.tsx')

/** A page at `/data` that redirects to `/data/first` once its tables are known, and another at `/account`. */
async function open() {
  let tables: readonly string[] = []
  const listeners = new Set<() => void>()
  function Data() {
    const known = useSyncExternalStore(
      listener => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      () => tables,
    )
    return known.length === 0 ? (
      'no tables yet'
    ) : (
      <Redirect>
        <Navigate to={'/data/first' as string} replace />
      </Redirect>
    )
  }
  const root = createRootRoute()
  const routeTree = root.addChildren([
    createRoute({ getParentRoute: () => root, path: '/data', component: Data }),
    createRoute({ getParentRoute: () => root, path: '/data/first', component: () => 'rows' }),
    createRoute({ getParentRoute: () => root, path: '/account', component: () => 'account' }),
  ])
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: ['/data/'] }) })
  const place = document.body.appendChild(document.createElement('div'))
  await act(async () => createRoot(place).render(<RouterProvider router={router as never} />))
  const list = () => {
    tables = ['first']
    for (const listener of listeners) listener()
  }
  return { router, place, list }
}

test('redirects to the first table once the tables are known', async () => {
  const { router, place, list } = await open()
  await act(async () => list())
  await act(async () => router.load())
  expect([router.latestLocation.pathname, place.textContent]).toEqual(['/data/first', 'rows'])
})

test('tables that arrive after the user chose another page do not redirect', async () => {
  const { router, place, list } = await open()
  await act(async () => {
    void router.navigate({ to: '/account' as string })
    flushSync(list)
  })
  await act(async () => router.load())
  expect([router.latestLocation.pathname, place.textContent]).toEqual(['/account', 'account'])
})
