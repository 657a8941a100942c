// The sign-in methods of a backend, in display order.
import type { SignInMethod } from '../../../machines/index.ts'
import type { HostSettings } from '../../client/index.ts'

export const METHOD_NAMES: Readonly<Record<SignInMethod, string>> = {
  password: 'Password',
  link: 'Magic link',
  phone: 'Phone',
  sso: 'Single sign-on',
}

/** Defaults to passwords while the settings are unknown. */
export const methodsOf = (settings: HostSettings | undefined): readonly SignInMethod[] => {
  if (settings === undefined) return ['password']
  const { email, phone, sso } = settings
  return [
    ...(email ? (['password', 'link'] as const) : []),
    ...(phone ? (['phone'] as const) : []),
    ...(sso ? (['sso'] as const) : []),
  ]
}
