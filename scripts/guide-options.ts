// The client options in the guide: those that work unchanged, and what differs in the others.
import { RULES } from '../src/services/client/option-rules.ts'

/** What differs in an option; options of `createClient` that are not listed work as in the official client. */
const HOW: Readonly<Record<string, string>> = {
  accessToken:
    'works; the token is asked for before a request, used for at most a second without asking again, renewed before it expires and after a 401. Without an answer, the request fails with `access_token_failed`. `client.auth.refresh()` asks now; the rest of `auth` throws, as in the official client',
  tracePropagation: 'works for queries, storage, functions and `channel.httpSend`',
  'db.timeout': 'works; it includes waiting for a token',
  'db.retry': 'works; the machines repeat reads, see [Requests](requests.md#retries)',
  'auth.storageKey': 'works; the default is the official one on every host, so sessions carry over and back',
  'auth.autoRefreshToken':
    'works; a token is then refreshed when something needs it, or after `startAutoRefresh`',
  'auth.lock': 'accepted and not needed: tabs are coordinated by Web Locks',
  'auth.lockAcquireTimeout': 'accepted and not needed; see `timings.lockTimeout`',
  'realtime.headers': 'accepted and without effect, as in the official client: a socket has no headers',
  'realtime.worker': 'accepted and not needed: a worker keeps the heartbeat of hidden pages',
  'realtime.timeout': 'works; the same as `timings.joinTimeout`',
  'realtime.heartbeatIntervalMs': 'works; the same as `timings.heartbeatEvery`',
  'realtime.disconnectOnEmptyChannelsAfterMs': 'works; the same as `timings.lingerFor`',
  'global.headers': 'works; also for uploads, broadcasts over HTTP and `client.fetch`',
}

const UNCHANGED = 'works'

/** Not options of `createClient`, and groups of options. */
const OWN = ['url', 'key', 'timings', 'maxConcurrent', 'recording', 'control']
const GROUPS = ['db', 'auth', 'global', 'realtime', 'storage']

/** The options in the guide, in order. */
export const optionRows = (): string[] =>
  Object.keys(RULES).filter(path => ![...OWN, ...GROUPS, 'storage.getItem'].includes(path))

/** @throws Error if an option is described that does not exist */
export function optionList(): string {
  const unknown = Object.keys(HOW).filter(path => !Object.hasOwn(RULES, path))
  if (unknown.length > 0) throw new Error(`No such options: ${unknown.join(', ')}`)
  const [unchanged, others] = [
    optionRows().filter(isUnchanged),
    optionRows().filter(path => !isUnchanged(path)),
  ]
  const items = others.map(path => `- \`${path}\`: ${here(path, RULES[path] ?? '')}`)
  return [`Work unchanged: ${unchanged.map(path => `\`${path}\``).join(', ')}.`, '', ...items].join('\n')
}

const isUnchanged = (path: string) => here(path, RULES[path] ?? '') === UNCHANGED

const here = (path: string, rule: string): string =>
  rule.startsWith('!') ? `refused. ${rule.slice(1)}` : (HOW[path] ?? UNCHANGED)
