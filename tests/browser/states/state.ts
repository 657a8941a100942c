// The table of states: how each state of the product is reached, at which sizes it exists, and what must hold in
// it. `npm test` checks them with axe, `npm run walk` also takes their pictures.
import type { Page, ViewportSize } from 'playwright-core'
import type { Fault, Story } from '../../../backend/faults/index.ts'

export const SIZES = {
  wide: { width: 1440, height: 900 },
  medium: { width: 1024, height: 768 },
  phone: { width: 390, height: 844 },
  /** A laptop at 200 %. */
  zoomed: { width: 720, height: 450 },
  /** As large as WCAG requires of a page without sideways scrolling. */
  small: { width: 320, height: 640 },
} as const satisfies Record<string, ViewportSize>
export type Size = keyof typeof SIZES

export const THEMES = ['light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

export interface Account {
  readonly email: string
  readonly password: string
}

/** The running product. */
export interface Product {
  readonly url: string
  readonly skipper: Account
  readonly mate: Account
  /** Opens a page of the app with a session of the account. */
  signIn(page: Page, account: Account, path?: string): Promise<void>
  /** Replaces the faults of the backend. */
  faults(...faults: readonly (Fault | Story)[]): Promise<void>
  /** The code in the newest email to an address. */
  codeTo(email: string): Promise<string>
  /** Signs in outside of the page; returns requests of this user. */
  requestsAs(account: Account): Promise<UserRequest>
  /** The backend's process stays, but answers nothing until `thaw`. Only the walk has a process for it. */
  freeze?(): void
  thaw?(): void
}

/** @throws Error if the response is not a success */
export type UserRequest = (method: string, path: string, body?: unknown) => Promise<Response>

/** What else must hold at certain sizes. */
export interface Fit {
  readonly sizes: readonly ViewportSize[]
  /** Elements that overlap or are cut off; eventually there is none. */
  readonly problems: (page: Page) => Promise<readonly unknown[]>
}

export interface State {
  readonly name: string
  /** From the previous state of its act, at the first of its sizes. Returns another page to look at, if any. */
  readonly reach: () => Promise<unknown>
  /** A selector of what is new, for axe, which checks the rest of the page in another state. */
  readonly part?: string
  /** Where it exists; defaults to wide, medium and phone. Tests check a part only at the first one. */
  readonly sizes?: readonly Size[]
  /** Defaults to both. */
  readonly themes?: readonly Theme[]
  readonly fits?: Fit
  /** Also in forced colors. */
  readonly isForced?: true
  /**
   * What tests do with it, if not all: only check what must fit, only pass it on the way to the next one, or
   * skip it, as nothing in it is new to them.
   */
  readonly inTests?: 'fit' | 'pass' | 'skip'
  /** Before the next state. */
  readonly leave?: () => Promise<unknown>
}

/** States that are reached in this order in one page, which is new. */
export type Act = (page: Page, product: Product) => readonly State[]

/** Whether a state is in another page. */
export const isPage = (reached: unknown): reached is Page =>
  typeof reached === 'object' && reached !== null && 'emulateMedia' in reached
