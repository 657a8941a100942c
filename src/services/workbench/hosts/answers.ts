// Formats facts from the responses of API families.

/** A parsed body; undefined if it was not JSON. */
export type Body = object | string | number | boolean | null | undefined

const fieldsOf = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null ? { ...body } : {}

/** `1 table`, `3 tables`. */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

/** Returns the message in an error body, truncated to one line. */
export function hasWords(body: Body): string | undefined {
  const { message, msg, error } = fieldsOf(body)
  const wording = [message, msg, error].find(text => typeof text === 'string')
  return wording?.slice(0, 160)
}

/** Returns the version from auth's health response or PostgREST's OpenAPI root. */
export function versionOf(body: Body): string | undefined {
  const { version } = fieldsOf(body)
  return typeof version === 'string' && version !== '' ? version : undefined
}

/** Returns the number of tables and functions in an OpenAPI root. */
export function tablesOf(body: object): { tables: number; calls: number; version: string | undefined } {
  const { paths, info } = fieldsOf(body)
  const names = Object.keys(fieldsOf(paths))
  const calls = names.filter(name => name.startsWith('/rpc/')).length
  const tables = names.filter(name => name !== '/').length - calls
  return { tables, calls, version: versionOf(fieldsOf(info)) }
}

/** Provider names whose spelling differs from their settings key. */
const NAMES: Readonly<Record<string, string>> = {
  github: 'GitHub',
  gitlab: 'GitLab',
  linkedin_oidc: 'LinkedIn',
  slack_oidc: 'Slack',
  workos: 'WorkOS',
}
const WAYS = new Set(['email', 'phone', 'anonymous_users'])

const nameOf = (provider: string) =>
  NAMES[provider] ?? provider.charAt(0).toUpperCase() + provider.slice(1).replaceAll('_', ' ')

/** What auth allows with only the publishable key. */
export function authFacts(body: object): readonly string[] {
  const settings = fieldsOf(body)
  const external = fieldsOf(settings['external'])
  const isOn = (name: string) => external[name] === true
  const providers = Object.keys(external).filter(name => isOn(name) && !WAYS.has(name))
  return [
    settings['disable_signup'] === true ? 'Sign-up is disabled.' : 'Sign-up is open to everyone.',
    ...(isOn('anonymous_users') ? ['Guests can sign in without an account.'] : []),
    isOn('email')
      ? settings['mailer_autoconfirm'] === true
        ? 'Email: yes, without confirmation.'
        : 'Email: yes, after confirming the address.'
      : 'Email: no.',
    ...(isOn('phone') ? ['Phone: yes.'] : []),
    ...(providers.length > 0 ? [`Providers: ${providers.map(nameOf).join(', ')}.`] : []),
    ...(settings['saml_enabled'] === true ? ['Single sign-on (SAML): yes.'] : []),
  ]
}
