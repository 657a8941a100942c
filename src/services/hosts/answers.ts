// What families tell of themselves, as facts in words.

/** A parsed body; undefined when it was no JSON. */
export type Body = object | string | number | boolean | null | undefined

const fieldsOf = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null ? { ...body } : {}

/** `1 table`, `3 tables`. */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

/** The message in an error's body, cut to a line. */
export function hasWords(body: Body): string | undefined {
  const { message, msg, error } = fieldsOf(body)
  const words = [message, msg, error].find(text => typeof text === 'string')
  return words?.slice(0, 160)
}

/** A version, as auth tells it of its health and PostgREST of its OpenAPI root. */
export function versionOf(body: Body): string | undefined {
  const { version } = fieldsOf(body)
  return typeof version === 'string' && version !== '' ? version : undefined
}

/** How many tables and functions an OpenAPI root lists. */
export function tablesOf(body: object): { tables: number; calls: number; version: string | undefined } {
  const { paths, info } = fieldsOf(body)
  const names = Object.keys(fieldsOf(paths))
  const calls = names.filter(name => name.startsWith('/rpc/')).length
  const tables = names.filter(name => name !== '/').length - calls
  return { tables, calls, version: versionOf(fieldsOf(info)) }
}

/** Names that are written otherwise than they are spelled in the settings. */
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

/** What auth lets somebody do who has only the publishable key. */
export function authFacts(body: object): readonly string[] {
  const settings = fieldsOf(body)
  const external = fieldsOf(settings['external'])
  const isOn = (name: string) => external[name] === true
  const providers = Object.keys(external).filter(name => isOn(name) && !WAYS.has(name))
  return [
    settings['disable_signup'] === true ? 'Nobody can sign up by themselves.' : 'Anybody can sign up.',
    ...(isOn('anonymous_users') ? ['Guests can sign in without an account.'] : []),
    isOn('email')
      ? settings['mailer_autoconfirm'] === true
        ? 'E-mail: yes, without confirming the address.'
        : 'E-mail: yes, once the address is confirmed.'
      : 'E-mail: no.',
    ...(isOn('phone') ? ['Phone: yes.'] : []),
    ...(providers.length > 0 ? [`Providers: ${providers.map(nameOf).join(', ')}.`] : []),
    ...(settings['saml_enabled'] === true ? ['Single sign-on (SAML): yes.'] : []),
  ]
}
