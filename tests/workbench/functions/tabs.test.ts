// Two tabs of the workbench with shared storage: neither loses what the other wrote.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Connection, createConnectionsStore } from '../../../src/services/workbench/hosts/index.ts'
import { EMPTY_DRAFT, type Draft } from '../../../src/services/workbench/functions/call-draft.ts'
import type { HistoryEntry } from '../../../src/services/workbench/functions/index.ts'
import { keepCalls, readCalls } from '../../../src/services/workbench/functions/function-call-store.ts'

let stored: Map<string, string>
let isFull: boolean
/** The tab's own storage. */
let inTab: Map<string, string>
const storageOf = (texts: () => Map<string, string>) => ({
  getItem: (key: string) => texts().get(key) ?? null,
  setItem: (key: string, text: string) => {
    if (isFull) throw new DOMException('full', 'QuotaExceededError')
    texts().set(key, text)
  },
})

beforeEach(() => {
  stored = new Map()
  isFull = false
  inTab = new Map()
  vi.stubGlobal(
    'localStorage',
    storageOf(() => stored),
  )
  vi.stubGlobal(
    'sessionStorage',
    storageOf(() => inTab),
  )
  const events = new EventTarget()
  vi.stubGlobal('addEventListener', events.addEventListener.bind(events))
  vi.stubGlobal('removeEventListener', events.removeEventListener.bind(events))
  vi.stubGlobal('dispatchEvent', events.dispatchEvent.bind(events))
})

afterEach(() => {
  vi.unstubAllGlobals()
})

/** The storage events for the tabs that did not write. */
const isNamed = (name: string) =>
  dispatchEvent(Object.assign(new Event('storage'), { key: `chartroom.ui.${name}` }))

const host = (id: string): Connection => ({ id, name: id, url: id, key: 'k', embedded: false })
const used = (id: string) => ({ type: 'connection.used', connection: host(id) }) as const

describe('saved hosts', () => {
  test('a host added in one tab survives changes in the other, and each tab has its own current host', () => {
    const one = createConnectionsStore()
    const other = createConnectionsStore()
    one.dispatch(used('http://a:1'))
    other.dispatch(used('http://b:1'))
    one.dispatch({ type: 'connection.renamed', id: 'http://a:1', name: 'Port' })
    const list = [{ ...host('http://a:1'), name: 'Port' }, host('http://b:1')]
    expect(one.connections()).toEqual({ active: 'http://a:1', list })
    expect(createConnectionsStore().connections()).toEqual({ active: 'http://a:1', list })
  })

  test('a tab shows changes of the other at once', () => {
    const one = createConnectionsStore()
    const other = createConnectionsStore()
    const onChange = vi.fn<() => void>()
    const end = one.subscribe(onChange)
    other.dispatch(used('http://b:1'))
    isNamed('connections')
    expect(one.connections()).toEqual({ active: null, list: [host('http://b:1')] })
    expect(onChange).toHaveBeenCalledOnce()
    end()
    other.dispatch(used('http://c:1'))
    isNamed('connections')
    expect(onChange).toHaveBeenCalledOnce()
  })

  test('a full storage takes nothing from the open tab', () => {
    const one = createConnectionsStore()
    one.dispatch(used('http://a:1'))
    isFull = true
    one.dispatch(used('http://b:1'))
    one.dispatch({ type: 'connection.renamed', id: 'http://b:1', name: 'Port' })
    expect(one.connections()).toEqual({
      active: 'http://b:1',
      list: [host('http://a:1'), { ...host('http://b:1'), name: 'Port' }],
    })
  })
})

describe('function calls', () => {
  const draft = (name: string): Draft => ({ ...EMPTY_DRAFT, name })
  const entry = (id: string): HistoryEntry => ({
    id,
    draft: draft(id),
    at: '2026-03-14T04:00:00Z',
    status: 200,
    outcome: 'done',
    duration: 5,
    size: 2,
    type: 'application/json',
  })
  const keep = (before: readonly string[], now: readonly string[]) =>
    keepCalls(
      'a',
      { draft: EMPTY_DRAFT, history: before.map(entry) },
      { draft: EMPTY_DRAFT, history: now.map(entry) },
    )
  const kept = () => readCalls('a', EMPTY_DRAFT).history.map(({ id }) => id)

  test('share one history, whichever tab adds or removes them', () => {
    keep([], ['one'])
    keep([], ['other'])
    keep(['one'], ['two', 'one'])
    expect(kept()).toEqual(['two', 'other', 'one'])
    keep(['two', 'one'], ['two'])
    expect(kept()).toEqual(['two', 'other'])
  })

  test('are drafted in each tab separately; a new tab begins with the last one', () => {
    const empty = { draft: EMPTY_DRAFT, history: [] }
    const first = inTab
    keepCalls('a', empty, { draft: draft('tide'), history: [] })
    inTab = new Map()
    expect(readCalls('a', EMPTY_DRAFT).draft.name).toBe('tide')
    keepCalls('a', empty, { draft: draft('watch'), history: [] })
    inTab = first
    expect(readCalls('a', EMPTY_DRAFT).draft.name).toBe('tide')
  })
})
