// Checks the options of a client: which exist, and what they may be. Separate, because the web app's are known.
import { DEFAULT_TIMINGS } from '../../machines/index.ts'

const KNOWN_OPTIONS = {
  url: 'string',
  key: 'string',
  accessToken: 'function',
  tracePropagation: 'boolean object',
  'tracePropagation.enabled': 'boolean',
  'tracePropagation.respectSamplingDecision': 'boolean',
  timings: 'object',
  maxConcurrent: 'number',
  recording: 'function',
  control: 'object',
  db: 'object',
  'db.schema': 'string',
  'db.timeout': 'number',
  'db.urlLengthLimit': 'number',
  'db.retry': 'boolean',
  auth: 'object',
  'auth.storage': 'object function',
  'auth.storageKey': 'string',
  'auth.persistSession': 'boolean',
  'auth.autoRefreshToken': 'boolean',
  'auth.detectSessionInUrl': 'boolean function',
  'auth.flowType': '=implicit =pkce',
  'auth.throwOnError': 'boolean',
  'auth.experimental': 'object',
  'auth.lock': 'function',
  'auth.lockAcquireTimeout': 'number',
  'auth.userStorage': '!Pass a `storage` that keeps the user elsewhere.',
  'auth.debug': '!Pass `recording`, and open the console.',
  'auth.skipAutoInitialize': '!Create the client when it is needed.',
  global: 'object',
  'global.fetch': 'function',
  'global.headers': 'object',
  realtime: 'object',
  'realtime.transport': 'function',
  'realtime.params': 'object',
  'realtime.headers': 'object',
  'realtime.timeout': 'number',
  'realtime.heartbeatIntervalMs': 'number',
  'realtime.disconnectOnEmptyChannelsAfterMs': 'number',
  'realtime.vsn': '=1.0.0 =2.0.0',
  'realtime.logger': 'function',
  'realtime.logLevel': 'string',
  'realtime.encode': 'function',
  'realtime.decode': 'function',
  'realtime.worker': 'boolean',
  'realtime.workerUrl': '!The worker needs no file.',
  'realtime.log_level': '!Use `realtime.logLevel`.',
  'realtime.reconnectAfterMs': '!Use `timings.backoffMin` and `timings.backoffMax`.',
  'realtime.heartbeatCallback': '!Use `onStatus` and `status().connection`.',
  'realtime.accessToken': '!Use `accessToken`.',
  'realtime.fetch': '!Use `global.fetch`.',
  'realtime.sessionStorage': '!There is no fallback that stores anything.',
  storage: 'object',
  'storage.useNewHostname': 'boolean',
  'storage.getItem': '!Use `auth.storage`.',
} as const

/** The path of an option that has a rule. */
export type KnownOption = keyof typeof KNOWN_OPTIONS

/**
 * What each option may be: types of values, or values after an equals sign. A `!` refuses it, with the reason
 * or the alternative.
 */
export const RULES: Readonly<Record<string, string>> = KNOWN_OPTIONS

/** Options that contain options. */
const GROUP = /^(?:db|auth|global|realtime|storage|timings|tracePropagation)$/

const ruleOf = (path: string): string | undefined => {
  const [group, name = ''] = path.split('.')
  if (group === 'timings' && name in DEFAULT_TIMINGS) return 'number'
  return Object.hasOwn(RULES, path) ? RULES[path] : undefined
}

/** Names that other clients have for an option. */
const OTHER_NAMES: Readonly<Record<string, KnownOption>> = {
  supabaseUrl: 'url',
  supabaseKey: 'key',
  anonKey: 'key',
  apiKey: 'key',
  publishableKey: 'key',
}

/** The types of values, as errors name them. */
const TYPES: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  function: 'a function',
  number: 'a number of at least 0',
  object: 'an object',
  string: 'a string',
}

const inWords = (rule: string): string =>
  rule
    .split(' ')
    .map(one => TYPES[one] ?? `"${one.slice(1)}"`)
    .join(' or ')

/** @throws TypeError for an unknown option, a refused one, and a value of the wrong type */
export function checkOptions(options: object, group = ''): void {
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    const path = group + name
    // An unset URL or key has a separate error.
    if (value === undefined || (value === null && /^(?:url|key)$/.test(path))) continue
    const rule = ruleOf(path)
    if (rule === undefined) throw new TypeError(`There is no option \`${path}\`.${suggestion(path)}`)
    if (rule.startsWith('!')) {
      if (value !== false) throw new TypeError(`\`${path}\` is not supported. ${rule.slice(1)}`)
    } else if (path === 'recording' && typeof value !== 'function') {
      throw new TypeError(`\`recording\` must be \`recordEverything()\` of @chartroom/devtools/recording`)
    } else if (path === 'control' && typeof value === 'function') {
      throw new TypeError('`control` must be called: `control: createControl()`')
    } else if (!isAllowed(value, rule.split(' '))) {
      throw new TypeError(`\`${path}\` must be ${inWords(rule)}`)
    } else if (GROUP.test(path) && typeof value === 'object' && value !== null) {
      checkOptions(path === 'storage' && 'getItem' in value ? { getItem: true } : value, `${path}.`)
    }
  }
}

const isAllowed = (value: unknown, allowed: readonly string[]): boolean =>
  allowed.includes(`=${String(value)}`) ||
  (value !== null && allowed.includes(typeof value) && (typeof value !== 'number' || value >= 0))

const lastOf = (path: string) => path.slice(path.indexOf('.') + 1).toLowerCase()

/** Names the known option whose name is most similar, if one is. */
function suggestion(path: string): string {
  const officialName = Object.hasOwn(OTHER_NAMES, path) ? OTHER_NAMES[path] : undefined
  if (officialName !== undefined) return ` Did you mean \`${officialName}\`?`
  const optionNames = [...Object.keys(RULES), ...Object.keys(DEFAULT_TIMINGS).map(name => `timings.${name}`)]
  const name = lastOf(path)
  let [bestName, bestDistance] = ['', 1 + name.length / 3]
  for (const candidate of optionNames) {
    const far = distance(name, lastOf(candidate))
    if (far < bestDistance) [bestName, bestDistance] = [candidate, far]
  }
  return bestName && ` Did you mean \`${bestName}\`?`
}

/** Number of characters to insert, remove or replace. */
function distance(from: string, to: string): number {
  let row = [...Array(to.length + 1).keys()]
  for (const [y, letter] of from.split('').entries()) {
    const above = row
    row = [y + 1]
    for (const [x, character] of to.split('').entries())
      row.push(
        Math.min((row[x] ?? 0) + 1, (above[x + 1] ?? 0) + 1, (above[x] ?? 0) + Number(letter !== character)),
      )
  }
  return row[to.length] ?? 0
}
