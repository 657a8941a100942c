// What the tabs of one profile share: a storage that may fail, and channels between the tabs.
import type { TabClock } from './world-clock.ts'

export type StorageMood = 'well' | 'full' | 'throws'

/** The storage of a profile. */
export interface WorldStorage {
  mood: StorageMood
  /** How many operations of tabs it rejected. */
  refusals: number
  /** A tab's step of it; `onChange` is called with changes by other tabs. */
  viewOf(tab: TabClock, onChange: (key: string | null, value: string | null) => void): TabStorage
  /** Clears everything, like clearing site data. */
  clear(): void
  readonly items: Map<string, string>
}

export interface TabStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
  /** The tab is gone and receives nothing more. */
  drop(): void
}

export function createWorldStorage(): WorldStorage {
  const items = new Map<string, string>()
  const tabs = new Map<
    object,
    { tab: TabClock; onChange: (key: string | null, value: string | null) => void }
  >()
  const dispatchStorage = (by: object | undefined, key: string | null, value: string | null) => {
    for (const [view, { tab, onChange }] of tabs) {
      if (view !== by) tab.arrive(() => tabs.has(view) && onChange(key, value), 1)
    }
  }
  const storage: WorldStorage = {
    mood: 'well',
    refusals: 0,
    items,
    clear() {
      items.clear()
      dispatchStorage(undefined, null, null)
    },
    viewOf(tab, onChange) {
      const refuse = () => {
        storage.refusals += 1
        throw new DOMException('The operation is insecure.', 'SecurityError')
      }
      const view: TabStorage = {
        getItem: key => (storage.mood === 'throws' ? refuse() : (items.get(key) ?? null)),
        setItem(key, value) {
          if (storage.mood === 'throws') refuse()
          if (storage.mood === 'full') storage.refusals += 1
          if (storage.mood === 'full') throw new DOMException('The quota was exceeded.', 'QuotaExceededError')
          items.set(key, value)
          dispatchStorage(view, key, value)
        },
        removeItem(key) {
          if (storage.mood === 'throws') refuse()
          if (items.delete(key)) dispatchStorage(view, key, null)
        },
        drop: () => void tabs.delete(view),
      }
      tabs.set(view, { tab, onChange })
      return view
    },
  }
  return storage
}

/** Channels between tabs: all with the same name receive each other's messages, in a separate task. */
export function createWorldBus() {
  const ports = new Map<
    object,
    { readonly name: string; readonly tab: TabClock; readonly port: EventTarget }
  >()
  /** The class of a tab. */
  const classOf = (tab: TabClock) =>
    class extends EventTarget {
      constructor(name: string) {
        super()
        ports.set(this, { name, tab, port: this })
      }
      postMessage(data: unknown) {
        const name = ports.get(this)?.name
        for (const [other, one] of ports) {
          if (other === this || one.name !== name) continue
          const event = Object.assign(new Event('message'), { data: structuredClone(data) })
          one.tab.arrive(() => ports.has(other) && one.port.dispatchEvent(event), 1)
        }
      }
      close() {
        ports.delete(this)
      }
    } as unknown as typeof globalThis.BroadcastChannel
  const drop = (tab: TabClock) => {
    for (const [port, one] of ports) if (one.tab === tab) ports.delete(port)
  }
  return { classOf, drop }
}
