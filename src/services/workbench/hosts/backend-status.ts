// The one status of a backend that the banner, the connection chip, the grid and the token's clock show.
import type { SnapshotFrom } from 'xstate'
import type { backendHealthMachine } from '../../../machines/workbench/backend-health.ts'
import type { ClientStatus, Failure, KeyStatus } from '../../client/index.ts'

/**
 * What is wrong. `maintenance`: it responds with 503. `failing`: its gateway responds with another error.
 * `keyRejected`: it refuses the API key. `renewalDelayed`: it refuses to refresh a token that is still valid. `liveLost`: only the socket is lost.
 */
export type BackendFault =
  | 'offline'
  | 'unreachable'
  | 'maintenance'
  | 'failing'
  | 'keyRejected'
  | 'tokenExpired'
  | 'renewalDelayed'
  | 'liveLost'

export interface BackendTrouble {
  readonly fault: BackendFault
  /** Client time in ms of the first sign. */
  readonly since: number
  /** Client time in ms of the next automatic attempt; undefined while one is under way, or if none is planned. */
  readonly nextAt: number | undefined
  /** An attempt is under way. */
  readonly isChecking: boolean
  /** HTTP status of the last check. */
  readonly status: number | undefined
  /** Of a rejected key: the services that refuse it, and why. */
  readonly key?: Pick<KeyStatus, 'refusedBy' | 'refusal'>
}

/** Without the time of the first sign where no machine measures it. */
export type DerivedTrouble = Omit<BackendTrouble, 'since'> & { readonly since: number | undefined }

/** A snapshot, or a recorded step. */
type Health = Pick<SnapshotFrom<typeof backendHealthMachine>, 'value' | 'context'>

const isSilence = ({ kind }: Failure) => kind === 'network' || kind === 'timeout'

const UNMEASURED = { since: undefined, nextAt: undefined, isChecking: false, status: undefined } as const

const healthTrouble = ({ value, context }: Health): DerivedTrouble | undefined => {
  if (typeof value === 'string' || !('troubled' in value)) return undefined
  const { fault, attempt } = value.troubled
  if (fault === 'deciding') return undefined
  const { since, checkedAt, delay, status } = context
  const isChecking = attempt === 'checking'
  return { fault, since, nextAt: isChecking ? undefined : checkedAt + delay, isChecking, status }
}

const keyTrouble = ({ context }: Health, { key }: ClientStatus): DerivedTrouble | undefined => {
  if (key.state === 'accepted') return undefined
  const { refusedBy, refusal, isChecking } = key
  return {
    ...UNMEASURED,
    fault: 'keyRejected',
    since: context.keyRejectedAt,
    isChecking,
    key: { refusedBy, ...(refusal && { refusal }) },
  }
}

const tokenTrouble = ({ session }: ClientStatus): DerivedTrouble | undefined => {
  if (session.phase !== 'authenticated') return undefined
  const { state, failure, retryAt } = session.token
  if (state === 'expired') return { ...UNMEASURED, fault: 'tokenExpired', nextAt: retryAt }
  // A refresh without a response says nothing about a backend that responds to everything else.
  if (state !== 'delayed' || failure === undefined || isSilence(failure)) return undefined
  return { ...UNMEASURED, fault: 'renewalDelayed', nextAt: retryAt }
}

/** Failed attempts in a row after which a lost socket is reported: most losses last for one. */
const LOST_ATTEMPTS = 2

const socketTrouble = ({ connection }: ClientStatus): DerivedTrouble | undefined =>
  connection.phase === 'reconnecting' && connection.attempt >= LOST_ATTEMPTS
    ? { ...UNMEASURED, fault: 'liveLost', isChecking: true }
    : undefined

/** The most severe problem, if any. */
export const backendTrouble = (health: Health, status: ClientStatus): DerivedTrouble | undefined => {
  if (status.network === 'offline')
    return {
      ...UNMEASURED,
      fault: 'offline',
      since: health.value === 'offline' ? health.context.since : undefined,
    }
  return healthTrouble(health) ?? keyTrouble(health, status) ?? tokenTrouble(status) ?? socketTrouble(status)
}
