// The auth hooks of config.toml.
import { HOOK_NAMES, type HookName, type HookSettings, type HookTarget } from '../auth/index.ts'
import { isOnThisMachine } from '../shared/local-url.ts'
import type { Settings } from './toml.ts'

/** One or more secrets, separated by `|`. */
const SECRETS = /^v1,whsec_[A-Za-z0-9+/=]{32,88}(?:\|v1,whsec_[A-Za-z0-9+/=]{32,88})*$/
const SQL_NAME = /^[A-Za-z_]\w{0,62}$/

/**
 * @param allowsOutgoing whether hooks of other machines may be called
 * @throws ProjectError if a hook that is enabled cannot be called
 */
export function readHooks(settings: Settings, allowsOutgoing: boolean): HookSettings {
  const hooks = HOOK_NAMES.flatMap(name => {
    const target = readHook(settings, name, allowsOutgoing)
    return target ? [[name, target] as const] : []
  })
  return Object.fromEntries(hooks)
}

function readHook(settings: Settings, name: HookName, allowsOutgoing: boolean): HookTarget | undefined {
  const path = `auth.hook.${name}`
  const isEnabled = settings.flag(`${path}.enabled`) ?? false
  if (!isEnabled) return undefined
  const uri = settings.text(`${path}.uri`) ?? ''
  const secrets = settings.text(`${path}.secrets`) ?? ''
  settings.refuseUnset(`${path}.uri`)
  const url = URL.parse(uri)
  const fieldError = (field: string, problem: string) => settings.error(`${path}.${field}`, problem)
  switch (url?.protocol) {
    case 'pg-functions:': {
      if (secrets !== '') throw fieldError('secrets', 'is only for hooks that are called by HTTP. Remove it')
      const [, schema = '', functionName = '', ...rest] = url.pathname.split('/')
      if (!SQL_NAME.test(schema) || !SQL_NAME.test(functionName) || rest.length > 0)
        throw fieldError('uri', 'must be "pg-functions://postgres/SCHEMA/FUNCTION"')
      return { schema, function: functionName }
    }
    case 'http:':
    case 'https:':
      if (url.protocol === 'http:' && !isOnThisMachine(url))
        throw fieldError(
          'uri',
          'may use http only for this machine: localhost, 127.0.0.1 or host.docker.internal',
        )
      if (!allowsOutgoing && !isOnThisMachine(url)) throw fieldError('uri', OUTGOING)
      settings.refuseUnset(`${path}.secrets`)
      if (!SECRETS.test(secrets))
        throw fieldError(
          secrets === '' ? 'uri' : 'secrets',
          SECRET_MISSING[secrets === '' ? 'missing' : 'wrong'],
        )
      return { url: uri, secrets: secrets.split('|').map(secret => secret.slice('v1,whsec_'.length)) }
    default:
      throw fieldError(uri === '' ? 'enabled' : 'uri', uri === '' ? NO_URI : WRONG_URI)
  }
}

const SECRET_MISSING = {
  missing:
    'is called by HTTP and needs a secret: add secrets = "v1,whsec_…", with at least 24 random bytes in base64',
  wrong: 'must be "v1,whsec_…" with 24 to 64 bytes in base64; several are separated by "|"',
}
const OUTGOING =
  'is not on this machine. Start the backend with --allow-outgoing, or set enabled = false for development'
const NO_URI = 'needs a uri: "pg-functions://postgres/SCHEMA/FUNCTION" or the URL of an endpoint'
const WRONG_URI = 'must be "pg-functions://postgres/SCHEMA/FUNCTION", or start with http:// or https://'
