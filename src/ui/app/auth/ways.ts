// The ways to sign in that a host offers, in the order in which they are shown.
import type { HostSettings } from '../../../host-settings.ts'
import type { Screen, Way } from './flow.ts'

export const WAY_NAMES: Readonly<Record<Way, string>> = {
  password: 'With password',
  link: 'By mail',
  phone: 'By phone',
  sso: 'Single sign-on',
}

/** A host that was never asked is taken for one with passwords. */
export const waysOf = (settings: HostSettings | undefined): readonly Way[] => {
  if (settings === undefined) return ['password']
  const { email, phone, sso } = settings
  return [
    ...(email ? (['password', 'link'] as const) : []),
    ...(phone ? (['phone'] as const) : []),
    ...(sso ? (['sso'] as const) : []),
  ]
}

/** The screen that can be shown: another way where the host has the chosen one switched off. */
export const screenFor = (screen: Screen, ways: readonly Way[]): Screen =>
  screen.at === 'signIn' && !ways.includes(screen.way) ? { at: 'signIn', way: ways[0] ?? screen.way } : screen
