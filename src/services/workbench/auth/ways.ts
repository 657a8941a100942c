// The sign-in methods of a backend, in display order.
import type { HostSettings } from '../../client/index.ts'
import type { Screen, Way } from './flow.ts'

export const WAY_NAMES: Readonly<Record<Way, string>> = {
  password: 'Password',
  link: 'Magic link',
  phone: 'Phone',
  sso: 'Single sign-on',
}

/** Defaults to passwords while the settings are unknown. */
export const waysOf = (settings: HostSettings | undefined): readonly Way[] => {
  if (settings === undefined) return ['password']
  const { email, phone, sso } = settings
  return [
    ...(email ? (['password', 'link'] as const) : []),
    ...(phone ? (['phone'] as const) : []),
    ...(sso ? (['sso'] as const) : []),
  ]
}

/** Returns the screen, with another method if the backend has the chosen one disabled. */
export const screenFor = (screen: Screen, ways: readonly Way[]): Screen =>
  screen.at === 'signIn' && !ways.includes(screen.way) ? { at: 'signIn', way: ways[0] ?? screen.way } : screen
