// How well the app can work right now, told from the client's status.
import type { ClientStatus, Failure } from '../../../index.ts'
import { explainChannel } from '../channel-reason.ts'
import type { Tone } from '../../widgets/pill.tsx'

export interface Health {
  readonly label: string
  readonly tone: Tone
  /** What it means, for the tooltip. */
  readonly detail: string
}

const CONNECTION: Readonly<Record<ClientStatus['connection']['phase'], Health>> = {
  idle: { label: 'idle', tone: 'stale', detail: 'No channel is in use, so the socket is closed.' },
  waitingForToken: { label: 'connecting', tone: 'pending', detail: 'The socket waits for a live token.' },
  connecting: { label: 'connecting', tone: 'pending', detail: 'The socket is being opened.' },
  open: { label: 'live', tone: 'ok', detail: 'The socket is open; changes arrive as they happen.' },
  reconnecting: {
    label: 'reconnecting',
    tone: 'pending',
    detail: 'The socket was lost and will be opened again.',
  },
  probing: { label: 'live', tone: 'ok', detail: 'The socket is open; it is asked for a sign of life.' },
  denied: {
    label: 'refused',
    tone: 'fail',
    detail: 'The backend refused the socket. It is tried again now and then.',
  },
  suspended: { label: 'paused', tone: 'stale', detail: 'The socket rests and opens again when needed.' },
}

const SILENT: Health = {
  label: 'no answer',
  tone: 'fail',
  detail: 'The backend does not answer. It is asked again every few seconds.',
}

/** The connection pill. `isSilent`: what is asked of the host comes back without an answer, whatever the socket does. */
export const connectionHealth = (
  { connection, network }: Pick<ClientStatus, 'connection' | 'network'>,
  isSilent = false,
): Health => {
  if (network === 'offline')
    return {
      label: 'offline',
      tone: 'fail',
      detail: 'This device has no network. Everything resumes by itself.',
    }
  if (isSilent && connection.phase === 'idle') return SILENT
  const health = CONNECTION[connection.phase]
  if (connection.phase !== 'reconnecting' && connection.phase !== 'denied') return health
  const attempt = connection.attempt > 0 ? ` Attempt ${connection.attempt}.` : ''
  const reason = connection.reason === undefined ? '' : ` Why: ${explainChannel(connection.reason)}.`
  return { ...health, detail: `${health.detail}${attempt}${reason}` }
}

export type Trouble = 'offline' | 'backendSilent' | 'renewalDelayed' | 'tokenExpired'

const isSilence = ({ kind }: Failure) => kind === 'network' || kind === 'timeout'

/** What a banner must tell, if anything. */
export const troubleOf = (status: ClientStatus): Trouble | undefined => {
  if (status.network === 'offline') return 'offline'
  const { session, connection } = status
  const token = session.phase === 'authenticated' ? session.token : undefined
  if (token?.state === 'expired') return 'tokenExpired'
  const isRefused = token?.failure !== undefined && !isSilence(token.failure)
  if (token?.state === 'delayed') return isRefused ? 'renewalDelayed' : 'backendSilent'
  return connection.phase === 'reconnecting' && connection.attempt > 0 ? 'backendSilent' : undefined
}
