// The parts of a browser page that both clients need: address, visibility, network, and shared storage.

export interface Page {
  readonly storage: Storage
  href(): string
  /** Changes the page's address before a client is created. */
  go(href: string): void
  show(isVisible: boolean): void
  connect(isOnline: boolean): void
  leave(): void
}

/** Installs a page in place of the globals that Node lacks, until it is closed. */
export function openPage(href: string): Page {
  const saved = new Map<string, PropertyDescriptor | undefined>()
  const put = (name: string, value: unknown) => {
    saved.set(name, Object.getOwnPropertyDescriptor(globalThis, name))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  }
  const items = new Map<string, string>()
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  } as unknown as Storage
  const location = new URL(href)
  const replaceState = (_state: unknown, _title: string, to: string) => void (location.href = to)
  const history = { state: null, replaceState }
  const window = Object.assign(new EventTarget(), { location, history, localStorage: storage })
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  const { locks } = globalThis.navigator
  const navigator = { onLine: true, locks }
  for (const [name, value] of Object.entries({ window, document, navigator, location, history }))
    put(name, value)
  put('localStorage', storage)
  const dispatch = (type: string) =>
    [window, document].forEach(target => target.dispatchEvent(new Event(type)))
  return {
    storage,
    href: () => location.href,
    go: to => void (location.href = to),
    show(isVisible) {
      document.visibilityState = isVisible ? 'visible' : 'hidden'
      dispatch('visibilitychange')
    },
    connect(isOnline) {
      navigator.onLine = isOnline
      window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'))
    },
    leave() {
      for (const [name, was] of saved) {
        if (was) Object.defineProperty(globalThis, name, was)
        else Reflect.deleteProperty(globalThis, name)
      }
    },
  }
}
