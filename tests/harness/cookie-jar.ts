// A browser's cookies of one host, without a page.
import type { CookieOptions } from '@supabase/ssr'

export interface CookieWrite {
  readonly name: string
  readonly value: string
  readonly options: CookieOptions
}

export interface CookieJar {
  readonly kept: Map<string, string>
  readonly writes: CookieWrite[]
  /** Headers that came with the cookies. */
  readonly headers: Record<string, string>
  readonly cookies: {
    readonly getAll: () => { name: string; value: string }[]
    readonly setAll: (all: readonly CookieWrite[], headers: Record<string, string>) => void
  }
  /** The deprecated form of @supabase/ssr, for one cookie at a time. */
  readonly single: {
    readonly get: (name: string) => string | undefined
    readonly set: (name: string, value: string, options: CookieOptions) => void
    readonly remove: (name: string, options: CookieOptions) => void
  }
}

export function createCookieJar(): CookieJar {
  const kept = new Map<string, string>()
  const writes: CookieWrite[] = []
  const headers: Record<string, string> = {}
  const write = (cookie: CookieWrite) => {
    writes.push(cookie)
    if (cookie.options.maxAge === 0) kept.delete(cookie.name)
    else kept.set(cookie.name, cookie.value)
  }
  return {
    kept,
    writes,
    headers,
    cookies: {
      getAll: () => [...kept].map(([name, value]) => ({ name, value })),
      setAll(all, more) {
        Object.assign(headers, more)
        for (const cookie of all) write(cookie)
      },
    },
    single: {
      get: name => kept.get(name),
      set: (name, value, options) => write({ name, value, options }),
      remove: (name, options) => write({ name, value: '', options }),
    },
  }
}
