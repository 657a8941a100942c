// Connection health, derived from the client's status.
import type { ClientStatus, Failure } from '../../../services/client/index.ts'
import { explainChannel } from '../../../services/workbench/realtime/index.ts'
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

const SILENT: Health = {
  label: 'unreachable',
  tone: 'fail',
  detail: 'The backend is not responding. Retrying every few seconds.',
}

/** State of the connection pill. `isSilent`: requests get no response, whatever the socket does. */
export const connectionHealth = (
  { connection, network }: Pick<ClientStatus, 'connection' | 'network'>,
  isSilent = false,
): Health => {
  if (network === 'offline')
    return {
      label: 'offline',
      tone: 'fail',
      detail: 'This device has no network. Everything resumes automatically.',
    }
  if (isSilent && connection.phase === 'idle') return SILENT
  const health = CONNECTION[connection.phase]
  if (connection.phase !== 'reconnecting' && connection.phase !== 'denied') return health
  const attempt = connection.attempt > 0 ? ` Attempt ${connection.attempt}.` : ''
  const reason = connection.reason === undefined ? '' : ` Reason: ${explainChannel(connection.reason)}.`
  return { ...health, detail: `${health.detail}${attempt}${reason}` }
}

export type Trouble = 'offline' | 'backendSilent' | 'renewalDelayed' | 'tokenExpired'

const isSilence = ({ kind }: Failure) => kind === 'network' || kind === 'timeout'

/** The problem that the banner reports, if any. */
export const troubleOf = (status: ClientStatus): Trouble | undefined => {
  if (status.network === 'offline') return 'offline'
  const { session, connection } = status
  const token = session.phase === 'authenticated' ? session.token : undefined
  if (token?.state === 'expired') return 'tokenExpired'
  const isRefused = token?.failure !== undefined && !isSilence(token.failure)
  if (token?.state === 'delayed') return isRefused ? 'renewalDelayed' : 'backendSilent'
  return connection.phase === 'reconnecting' && connection.attempt > 0 ? 'backendSilent' : undefined
}
