// Texts of the banner and the table about a problem of the backend.
import type { KeyFamily, KeyRefusal } from '../../../services/client/index.ts'
import type { BackendFault, BackendTrouble } from '../../../services/workbench/hosts/index.ts'
import { formatSpan, formatTime, wallTime } from '../../../services/workbench/text/index.ts'

export interface TroubleText {
  readonly title: string
  /** Since when. */
  readonly since: string
  /** What still works. */
  readonly advice: string
  /** Title and time in one text. */
  readonly summary: string
}

const SERVICES: Readonly<Record<KeyFamily, string>> = {
  auth: 'Sign-in',
  rest: 'Data',
  storage: 'Files',
  functions: 'Functions',
  realtime: 'Realtime',
}

/** Without sign-in and data, the key is of no use at all. */
const keyTitle = (host: string, families: readonly KeyFamily[] = []): string => {
  if (families.length === 0 || (families.includes('auth') && families.includes('rest')))
    return `This key is no longer accepted by ${host}.`
  const names = families.map(family => SERVICES[family])
  const last = names.at(-1) ?? ''
  const list = names.length === 1 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
  return `${host} no longer accepts this key for ${list}.`
}

const KEY_ADVICE: Readonly<Record<KeyRefusal, string>> = {
  keyRejected: 'It was replaced, revoked, or belongs to another project.',
  keyDisabled: 'Its legacy keys are disabled: use the key that begins with sb_publishable_.',
  keyMissing: 'Requests arrive without it: does a proxy remove the header?',
}

const TITLES: Readonly<
  Record<BackendFault, (host: string, trouble: Pick<BackendTrouble, 'status' | 'key'>) => string>
> = {
  offline: () => 'You’re offline.',
  unreachable: host => `Can’t reach ${host}.`,
  maintenance: host => `${host} is under maintenance.`,
  failing: (host, { status }) => `${host} responds with errors${status === undefined ? '' : ` (${status})`}.`,
  keyRejected: (host, { key }) => keyTitle(host, key?.refusedBy),
  tokenExpired: () => 'Your access token has expired.',
  renewalDelayed: host => `${host} did not refresh your access token.`,
  liveLost: () => 'Live updates are interrupted.',
}

const SINCE: Readonly<Record<BackendFault, string>> = {
  offline: 'No network',
  unreachable: 'No response',
  maintenance: 'Responding with 503',
  failing: 'Failing',
  keyRejected: 'Rejected',
  tokenExpired: 'Expired',
  renewalDelayed: 'Delayed',
  liveLost: 'Not connected',
}

const KEPT = 'You stay signed in, and nothing on screen is lost.'

const ADVICE: Readonly<Record<BackendFault, string>> = {
  offline:
    'You can still read this page and use the console. Loading, saving and live changes resume automatically.',
  unreachable: KEPT,
  maintenance: KEPT,
  failing: KEPT,
  keyRejected: KEPT,
  tokenExpired: 'Nothing is sent in your name until it is refreshed.',
  renewalDelayed: 'Your current token is still valid.',
  liveLost: 'Rows and messages on screen may be out of date.',
}

/** Describes a problem to the user; pure. */
export const describeTrouble = (trouble: BackendTrouble, host: string): TroubleText => {
  const { fault, since, key } = trouble
  const title = TITLES[fault](host, trouble)
  const from = `${SINCE[fault]} since ${formatTime(wallTime(since))}.`
  const advice =
    fault === 'keyRejected' ? `${KEY_ADVICE[key?.refusal ?? 'keyRejected']} ${KEPT}` : ADVICE[fault]
  return { title, since: from, advice, summary: `${title} ${from}` }
}

/** When the next attempt is. */
export const describeNext = ({ fault, nextAt, isChecking }: BackendTrouble, now: number): string => {
  if (fault === 'offline') return ''
  if (fault === 'keyRejected') return isChecking ? 'Checking…' : ''
  if (isChecking || nextAt === undefined || nextAt - now < 500) return 'Retrying…'
  // `now` is in whole seconds, too.
  const seconds = Math.max(1, Math.floor((nextAt - now) / 1_000))
  return `Next attempt in ${seconds < 100 ? `${seconds} s` : formatSpan(nextAt - now)}.`
}
