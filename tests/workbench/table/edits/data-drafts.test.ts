// Drafts of two browser tabs for one table: neither removes the other's.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { TabLocks } from '../../../../src/services/client/index.ts'
import {
  createDraftStorage,
  NO_DRAFTS,
  type Drafts,
} from '../../../../src/services/workbench/table/edits/drafts.ts'
import { beginEdits as begin, LEFT } from '../../../harness/edit-store.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** The locks of a browser, one object for each tab. */
function createLocks() {
  const held = new Map<string, object>()
  let waiting: readonly { readonly name: string; readonly begin: () => void }[] = []
  const free = (name: string) => {
    held.delete(name)
    const next = waiting.find(one => one.name === name)
    waiting = waiting.filter(one => one !== next)
    next?.begin()
  }
  const openTab = () => {
    const tab: TabLocks = {
      request: (name, hold) =>
        new Promise<void>(done => {
          if (held.has(name)) waiting = [...waiting, { name, begin: done }]
          else done()
        })
          .then(() => {
            held.set(name, tab)
            return hold()
          })
          .finally(() => free(name)),
    }
    const close = () => [...held].filter(([, holder]) => holder === tab).forEach(([name]) => free(name))
    return { tab, close }
  }
  return { openTab }
}

describe('two tabs on one table', () => {
  const stored: Record<string, string> = {}
  let isFull = false
  beforeEach(() => {
    isFull = false
    const storage = {
      getItem: (key: string) => stored[key] ?? null,
      setItem: (key: string, text: string) => {
        if (isFull) throw new DOMException('full', 'QuotaExceededError')
        stored[key] = text
      },
      removeItem: (key: string) => delete stored[key],
    }
    // Stored entries are also properties of the storage object.
    vi.stubGlobal('localStorage', Object.setPrototypeOf(stored, storage))
  })
  afterEach(() => {
    for (const key of Object.keys(stored)) delete stored[key]
    vi.unstubAllGlobals()
  })
  const storageOf = (tab: TabLocks | undefined) => createDraftStorage('drafts.harbour', tab)

  test('neither removes the other’s unsaved drafts; drafts of a closed tab are adopted', async () => {
    const { openTab } = createLocks()
    const [one, other] = [openTab(), openTab()]
    const first = begin(NO_DRAFTS, storageOf(one.tab))
    first.type({ note: 'of one' }, LEFT)
    await Promise.resolve()
    const second = begin(NO_DRAFTS, storageOf(other.tab))
    second.type({ lit: 'of the other' }, LEFT)
    second.store.cancel(1)
    await Promise.resolve()
    expect([first.phases(), second.phases()]).toEqual([[[1, { note: 'of one' }, 'refused']], []])
    one.close()
    await vi.advanceTimersByTimeAsync(0)
    expect(second.phases()).toEqual([[2, { note: 'of one' }, 'refused']])
    expect(Object.values(stored).map(text => (JSON.parse(text) as Drafts).edits.length)).toEqual([1])
    const [reloaded] = [openTab()]
    other.close()
    const third = begin(NO_DRAFTS, storageOf(reloaded.tab))
    await vi.advanceTimersByTimeAsync(0)
    expect(third.phases()).toEqual([[1, { note: 'of one' }, 'refused']])
  })

  test('the same page finds its own drafts at once; without locks all tabs share one list', async () => {
    const { tab } = createLocks().openTab()
    for (const of of [tab, undefined]) {
      begin(NO_DRAFTS, storageOf(of)).type({ note: 'mine' }, LEFT)
      await Promise.resolve()
      expect(begin(NO_DRAFTS, storageOf(of)).phases()).toEqual([[1, { note: 'mine' }, 'refused']])
    }
  })

  test('drafts that do not fit are reported, so that leaving can ask for confirmation', async () => {
    const { world, type, store } = begin(NO_DRAFTS, storageOf(undefined))
    isFull = true
    type({ note: 'mine' }, LEFT)
    await Promise.resolve()
    expect(world.isKept).toBe(false)
    store.cancel(1)
    await Promise.resolve()
    expect(world.isKept).toBe(true)
  })
})
