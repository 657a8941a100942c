// Texts of the connection chip, the banner and the table about the one status of the backend.
import type { ClientStatus, KeyFamily, KeyRefusal } from '../../../services/client/index.ts'
import type { BackendFault, BackendTrouble } from '../../../services/workbench/hosts/index.ts'
import { explainChannel } from '../../../services/workbench/realtime/index.ts'
import { formatSpan, wallTime } from '../../../services/workbench/text/index.ts'
import { formatTime } from '../../widgets/format.ts'
import type { Tone } from '../../widgets/pill.tsx'

export interface Health {
  readonly label: string
  readonly tone: Tone
  /** Explanation for the tooltip. */
  readonly detail: string
}

const CONNECTION: Readonly<Record<ClientStatus['connection']['phase'], Health>> = {
  idle: { label: 'off', tone: 'stale', detail: 'No channel is in use, so the socket is closed.' },
  waitingForToken: { label: 'connecting', tone: 'pending', detail: 'The socket waits for a valid token.' },
  connecting: { label: 'connecting', tone: 'pending', detail: 'The socket is opening.' },
  open: { label: 'connected', tone: 'ok', detail: 'The socket is open; changes arrive as they happen.' },
  reconnecting: {
    label: 'reconnecting',
    tone: 'pending',
    detail: 'The socket was lost and is reconnecting.',
  },
  probing: { label: 'connected', tone: 'ok', detail: 'The socket is open; checking that it still responds.' },
  denied: {
    label: 'refused',
    tone: 'fail',
    detail: 'The backend refused the socket. Retrying from time to time.',
  },
  suspended: { label: 'paused', tone: 'stale', detail: 'The socket is closed and reopens when needed.' },
}

/** What stops everything else, too: an open socket proves nothing while requests get no response. */
const LABELS: Readonly<Partial<Record<BackendFault, string>>> = {
  offline: 'offline',
  unreachable: 'unreachable',
  maintenance: 'maintenance',
  failing: 'failing',
  keyRejected: 'key rejected',
}

/** One word for a problem of the whole backend; undefined for those of the token or the socket alone. */
export const troubleLabel = (trouble: BackendTrouble | undefined): string | undefined =>
  trouble && LABELS[trouble.fault]

/** State of the connection chip. */
export const connectionHealth = (
  { connection }: Pick<ClientStatus, 'connection'>,
  trouble?: BackendTrouble,
): Health => {
  const label = troubleLabel(trouble)
  if (label !== undefined && trouble !== undefined)
    return { label, tone: 'fail', detail: describeTrouble(trouble, 'The backend').summary }
  const health = CONNECTION[connection.phase]
  if (connection.phase !== 'reconnecting' && connection.phase !== 'denied') return health
  const attempt = connection.attempt > 0 ? ` Attempt ${connection.attempt}.` : ''
  const reason = connection.reason === undefined ? '' : ` Reason: ${explainChannel(connection.reason)}.`
  return { ...health, detail: `${health.detail}${attempt}${reason}` }
}

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
