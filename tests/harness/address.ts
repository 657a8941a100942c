// A page's address bar, for tests without a page.
import { onTestFinished, vi } from 'vitest'
import type { PageAddress } from '../../src/services/client/auth/url-session.ts'

export interface Address extends PageAddress {
  /** The addresses that replaced the first one. */
  readonly replaced: readonly string[]
}

export function addressOf(href: string): Address {
  const replaced: string[] = []
  return {
    href: () => replaced.at(-1) ?? href,
    replace: next => void replaced.push(next),
    replaced,
  }
}

/** Gives this process an address bar for the rest of the test. */
export function atAddress(href: string): Address {
  const address = addressOf(href)
  vi.stubGlobal('location', {
    get href() {
      return address.href()
    },
  })
  vi.stubGlobal('history', {
    state: { kept: true },
    replaceState: (_state: unknown, _title: string, next: string) => address.replace(next),
  })
  onTestFinished(() => void vi.unstubAllGlobals())
  return address
}
