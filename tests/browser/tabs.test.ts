// Tabs of one browser profile share a session through Web Locks, storage and channels: one refresh at a time,
// whichever tab requests, dies, hangs or sleeps.
import type { CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Timings } from '../../src/public/index.ts'
import type { TabRole } from '../../src/machines/refresh/schedule.ts'
import { openTabPages, type Spent, type TabPages } from '../harness/tab-pages.ts'

let tabs: TabPages
beforeAll(async () => {
  tabs = await openTabPages()
})
afterAll(() => tabs.stop())

const SKIPPER = { email: 'skipper@harbour.test', password: 'harbour-demo' }

const phaseOf = (page: Page) => page.evaluate(() => window.tab.status().session.phase)
const tokenOf = (page: Page) =>
  page.evaluate(() => {
    const { session } = window.tab.status()
    return session.phase === 'authenticated' ? session.token : undefined
  })
const refresh = (page: Page) => page.evaluate(async () => (await window.tab.auth.refresh()).ok)
const refreshTokenOf = (page: Page) =>
  page.evaluate(() => {
    const key = Object.keys(localStorage).find(name => name.endsWith('-auth-token')) ?? ''
    return (JSON.parse(localStorage.getItem(key) ?? '{}') as { refresh_token?: string }).refresh_token
  })

/** Tabs with the skipper signed in; closed when the test is over. */
async function openTabs(count: number, timings: Partial<Timings> = {}): Promise<Page[]> {
  const first = await tabs.open(timings)
  await first.evaluate(who => window.tab.auth.signInWithPassword(who), SKIPPER)
  const others = await Promise.all(Array.from({ length: count - 1 }, () => tabs.open(timings)))
  const pages = [first, ...others]
  onTestFinished(async () => {
    letGo()
    await Promise.all(pages.map(page => page.close()))
  })
  await expect.poll(() => Promise.all(pages.map(phaseOf))).toEqual(pages.map(() => 'authenticated'))
  return pages
}

const devtools = (page: Page): Promise<CDPSession> => tabs.context.newCDPSession(page)

/** Ends a tab without events, as the task manager does. */
async function crash(page: Page): Promise<void> {
  const session = await devtools(page)
  const crashed = page.waitForEvent('crash')
  session.send('Page.crash').catch(() => undefined)
  await crashed
  await page.close()
}

/** Holds back the next request that spends a refresh token: before it is carried out, or its response. */
async function catchNext(at: 'request' | 'response'): Promise<void> {
  const when = { path: '/auth/v1/token', query: { grant_type: 'refresh_token' } }
  tabs.backend.faults.replace({ faults: [{ id: 'caught', when, do: { hold: at }, times: 1 }] })
}
async function heldBack(): Promise<void> {
  await expect.poll(() => tabs.backend.faults.heldRequests().length).toBe(1)
}
/** The last request that spent a token, if it came after this many. */
function spentSince(count: number): Spent {
  const last = tabs.spent.slice(count).at(-1)
  if (!last) throw new Error('No token was spent')
  return last
}
function letGo(): void {
  for (const { id } of tabs.backend.faults.heldRequests()) tabs.backend.faults.release(id)
}

/** How many tabs know that they lead, and how many that another one does. */
async function rolesOf(pages: readonly Page[]) {
  const held = (await Promise.all(pages.map(tokenOf))).map(token => token?.role)
  const count = (role: TabRole) => held.filter(other => other === role).length
  return { leaders: count('leader'), followers: count('follower') }
}

test('the next tab refreshes when the leader is closed, and when a tab dies in the middle of a refresh', async () => {
  const pages = await openTabs(8)
  await expect.poll(() => rolesOf(pages)).toEqual({ leaders: 1, followers: 7 })
  const before = tabs.spent.length
  expect(await Promise.all(pages.map(refresh))).toEqual(pages.map(() => true))
  // Late tabs adopt what the first one received.
  expect(tabs.spent.length - before).toBe(1)

  const held = await Promise.all(pages.map(tokenOf))
  const at = held.findIndex(token => token?.role === 'leader')
  const [leader] = pages.splice(at, 1)
  await leader?.close()
  await expect.poll(() => rolesOf(pages)).toEqual({ leaders: 1, followers: 6 })

  const killed = new Set<Page>()
  for (const at of ['request', 'response'] as const) {
    const sent = tabs.spent.length
    await catchNext(at)
    const requests = pages.map(page => refresh(page).catch(() => undefined))
    await heldBack()
    // The backend may know of it before the driver reports it.
    const { page: holder } = await vi.waitFor(() => spentSince(sent))
    killed.add(holder)
    await crash(holder)
    pages[pages.indexOf(holder)] = await tabs.open()
    letGo()
    await Promise.all(requests)
  }
  await expect.poll(() => Promise.all(pages.map(phaseOf))).toEqual(pages.map(() => 'authenticated'))
  expect(await Promise.all(pages.map(refresh))).toEqual(pages.map(() => true))
  const living = tabs.spent.filter(({ page }) => !killed.has(page))
  await expect.poll(() => living.filter(({ status }) => status !== 200)).toEqual([])
  expect(new Set(living.map(({ refreshToken }) => refreshToken)).size).toBe(living.length)
})

test('a tab that hangs with the lock blocks the others only until the deadline', async () => {
  // Not a user's timeout: a tab that holds the lock for a second and a half counts as gone.
  const pages = await openTabs(3, { lockTimeout: 1_500 })
  const [hung, ...others] = pages as [Page, ...Page[]]
  await catchNext('response')
  const first = refresh(hung)
  await heldBack()
  const { promise: over, resolve: wakeUp } = Promise.withResolvers<void>()
  onTestFinished(() => wakeUp())
  await hung.route('**/hang', async route => {
    await over
    await route.fulfill({ body: '' })
  })
  const asleep = hung.waitForRequest('**/hang')
  const hanging = hung.evaluate(() => {
    const request = new XMLHttpRequest()
    // It is synchronous: nothing else runs in the tab until it is answered.
    request.open('GET', '/hang', false)
    request.send()
  })
  await asleep
  expect(await Promise.all(others.map(refresh))).toEqual(others.map(() => true))
  wakeUp()
  letGo()
  await hanging
  expect(await first).toBe(true)
  const latest = await refreshTokenOf(hung)
  expect(await Promise.all(pages.map(refreshTokenOf))).toEqual(pages.map(() => latest))
  expect(await Promise.all(pages.map(refresh))).toEqual(pages.map(() => true))
  expect(tabs.spent.filter(({ status }) => status !== undefined && status !== 200)).toEqual([])
})

test('every tab recovers after two hours with a closed lid, and all are signed out together, also a frozen one', async () => {
  const pages = await openTabs(3)
  for (const page of pages)
    await page.evaluate(() => {
      window.tab.channel('bridge')
      document.addEventListener('resume', () => (window.ahead += 7_200_000), { capture: true })
    })
  const joined = () =>
    Promise.all(pages.map(page => page.evaluate(() => window.tab.status().channels['bridge']?.phase)))
  const all = pages.map(() => 'joined')
  await expect.poll(joined).toEqual(all)
  const sessions = await Promise.all(pages.map(devtools))
  const lifecycle = (state: 'frozen' | 'active') =>
    Promise.all(sessions.map(session => session.send('Page.setWebLifecycleState', { state })))
  const before = tabs.spent.length
  await lifecycle('frozen')
  tabs.pass(7_200_000)
  await lifecycle('active')
  // A page that was not frozen would not have recovered.
  await expect
    .poll(() => Promise.all(pages.map(page => page.evaluate(() => window.ahead))))
    .toEqual(pages.map(() => 7_200_000))
  await expect
    .poll(async () => (await Promise.all(pages.map(tokenOf))).map(token => token?.state))
    .toEqual(pages.map(() => 'fresh'))
  await expect.poll(joined).toEqual(all)
  const rows = await Promise.all(
    pages.map(page => page.evaluate(async () => (await window.tab.supabase.from('vessels').select()).status)),
  )
  expect(rows).toEqual(pages.map(() => 200))
  const since = tabs.spent.slice(before)
  expect(since.filter(({ status }) => status !== 200)).toEqual([])
  expect(new Set(since.map(({ refreshToken }) => refreshToken)).size).toBe(since.length)
  // The channels that the server ended in the meantime join with the same token.
  expect(since.length).toBe(1)

  const [leaver, ...others] = pages as [Page, ...Page[]]
  await sessions[1]?.send('Page.setWebLifecycleState', { state: 'frozen' })
  await leaver.evaluate(() => window.tab.auth.signOut())
  await sessions[1]?.send('Page.setWebLifecycleState', { state: 'active' })
  const reasons = () =>
    Promise.all(
      others.map(page =>
        page.evaluate(() => {
          const { session } = window.tab.status()
          return session.phase === 'signedOut' ? session.reason : session.phase
        }),
      ),
    )
  await expect.poll(reasons).toEqual(others.map(() => 'otherTab'))
})
