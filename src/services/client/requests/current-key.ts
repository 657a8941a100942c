// The API key that is sent: the one that the client was created with, until the app enters another.

type Fetch = typeof globalThis.fetch

export interface CurrentKey {
  /** The key that is sent now. */
  readonly value: () => string
  readonly replace: (next: string) => void
  /** A `fetch` that sends the current key in place of the first one. */
  readonly over: (fetch: Fetch) => Fetch
}

/** Every part of the client writes `first` into its requests; this replaces it where they leave. */
export function createCurrentKey(first: string): CurrentKey {
  let current = first
  return {
    value: () => current,
    replace: next => {
      current = next
    },
    over: fetch => (input, init) => {
      if (current === first) return fetch(input, init)
      const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
      if (headers.get('apikey') === first) headers.set('apikey', current)
      if (headers.get('authorization') === `Bearer ${first}`)
        headers.set('authorization', `Bearer ${current}`)
      return fetch(input, { ...init, headers })
    },
  }
}
