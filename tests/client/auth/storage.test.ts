// The stored session: storage that throws, is full, is cleared or hangs, and what is computed from the stored
// data.
import { describe, expect, test } from 'vitest'
import type { SessionStorage } from '../../../src/public/index.ts'
import {
  holdStored,
  keepReceived,
  type AuthBackend,
  createSessionStore,
  CorruptSessionError,
  isShared,
  memoryStorage,
} from '../../../src/services/client/auth/session-store.ts'
import { createVault } from '../../../src/services/client/auth/vault.ts'
import { createVirtualClock } from '../../../src/testing/virtual-clock.ts'
import { sessionBody } from '../../harness/fake-backend.ts'

const KEY = 'sb-harbour-auth-token'
const quota = () => {
  throw new DOMException('full', 'QuotaExceededError')
}

/** A storage that can be made to fail. */
function faulty() {
  const inner = memoryStorage()
  const fails = { read: false, write: false, remove: false }
  const storage: SessionStorage = {
    getItem: key => (fails.read ? quota() : inner.getItem(key)),
    setItem: (key, value) => (fails.write ? quota() : inner.setItem(key, value)),
    removeItem: key => (fails.remove ? quota() : inner.removeItem(key)),
  }
  return { fails, inner, store: createSessionStore(storage, KEY, true) }
}

describe('a missing session', () => {
  test('is reported as removed by a tab until another is stored, or as cleared or never stored', async () => {
    const { inner, store } = faulty()
    expect(await store.wasRemoved()).toBe(false)
    await store.write(sessionBody('first'))
    await store.remove()
    expect([await store.read(), await store.wasRemoved()]).toEqual([undefined, true])
    await store.write(sessionBody('second'))
    await inner.removeItem(KEY)
    expect([await store.read(), await store.wasRemoved()]).toEqual([undefined, false])
  })

  test('a storage that rejects the removal mark still removes the session', async () => {
    const { fails, store } = faulty()
    await store.write(sessionBody('first'))
    fails.write = true
    await store.remove()
    expect([await store.read(), await store.wasRemoved()]).toEqual([undefined, false])
  })

  test('a storage that is not shared gets no marks', async () => {
    const storage = memoryStorage()
    const store = createSessionStore(storage, KEY)
    await store.write(sessionBody('first'))
    await store.remove()
    expect([await store.wasRemoved(), await storage.getItem(`${KEY}-removed`)]).toEqual([false, null])
  })
})

describe('a storage that fails', () => {
  test('full: an unsaved write is kept in memory; the next is stored once there is space', async () => {
    const { fails, inner, store } = faulty()
    await store.write(sessionBody('first'))
    fails.write = true
    await expect(store.write(sessionBody('second'))).rejects.toThrow('full')
    expect((await store.read())?.refresh_token).toBe('refresh-second-0123456789')
    expect(await inner.getItem(KEY)).toContain('refresh-first')
    fails.write = false
    await store.write(sessionBody('third'))
    expect(await inner.getItem(KEY)).toContain('refresh-third')
  })

  test("full here, but another tab wrote: the other tab's session is used", async () => {
    const { fails, inner, store } = faulty()
    await store.write(sessionBody('first'))
    fails.write = true
    await store.write(sessionBody('second')).catch(() => undefined)
    await inner.setItem(KEY, JSON.stringify(sessionBody('theirs')))
    expect((await store.read())?.refresh_token).toBe('refresh-theirs-0123456789')
  })

  test('access denied: the session lives as long as the page', async () => {
    const { fails, store } = faulty()
    Object.assign(fails, { read: true, write: true, remove: true })
    await expect(store.read()).rejects.toThrow('full')
    await store.write(sessionBody('first')).catch(() => undefined)
    expect((await store.read())?.refresh_token).toBe('refresh-first-0123456789')
    await store.remove().catch(() => undefined)
    expect(await store.read()).toBeUndefined()
  })

  test('a failed remove still hides the session for this page', async () => {
    const { fails, store } = faulty()
    await store.write(sessionBody('first'))
    fails.remove = true
    await expect(store.remove()).rejects.toThrow('full')
    expect(await store.read()).toBeUndefined()
  })

  test('cleared by another tab: nothing is stored', async () => {
    const { inner, store } = faulty()
    await store.write(sessionBody('first'))
    await inner.removeItem(KEY)
    expect(await store.read()).toBeUndefined()
  })

  test.each(['', 'null', '{"access_token":"a"}', '[]', '{'])('%j is not a session', async text => {
    const { inner, store } = faulty()
    await inner.setItem(KEY, text)
    await expect(store.read()).rejects.toBeInstanceOf(CorruptSessionError)
  })
})

test('memory storage is not shared, and outside of pages no storage is', () => {
  expect([isShared(memoryStorage()), isShared(faulty() as never)]).toEqual([false, false])
})

describe('the token of a session', () => {
  const backend = (wall: Date) => {
    const clock = createVirtualClock(wall)
    const storage = memoryStorage()
    const parts = {
      clock,
      storage,
      store: createSessionStore(storage, KEY),
      vault: createVault(() => undefined),
    }
    return { ...parts, random: () => 0.25 } as unknown as AuthBackend & { clock: typeof clock }
  }
  const issued = new Date('2026-03-01T12:00:00Z')
  const session = { ...sessionBody('first', 300), expires_at: issued.getTime() / 1000 + 300 }

  test.each([
    ['right', 0],
    ['42 s ahead', 42_000],
    ['an hour behind', -3_600_000],
  ])('a clock that is %s: the lifetime is the same, and the skew is measured', async (_, off) => {
    const here = backend(new Date(issued.getTime() + off))
    const token = await keepReceived(here, session)
    expect(token).toMatchObject({ receivedAt: 0, expiresAt: 300_000, lifetime: 300_000, spread: 0.25 })
    expect(token.skew).toBe(500 - off)
    here.clock.advance(100_000)
    const stored = await here.store.read()
    if (!stored) throw new Error('nothing was stored')
    expect(holdStored(here, stored)).toMatchObject({ receivedAt: 0, expiresAt: 300_000, skew: 500 - off })
  })

  test("a session of the official client gets its age from the server's times, without skew", () => {
    const here = backend(new Date(issued.getTime() + 120_000))
    expect(holdStored(here, session)).toMatchObject({ receivedAt: -120_000, expiresAt: 180_000, skew: 0 })
  })

  test('a clock that was set back since does not make the token older', () => {
    const here = backend(issued)
    const stored = { ...session, received_at: issued.getTime() + 3_600_000 }
    expect(holdStored(here, stored)).toMatchObject({ receivedAt: 0, expiresAt: 300_000 })
  })
})
