// Texts of the connection chip about the one status of the backend; loads before the sign-in.
import type { ClientStatus } from '../../../services/client/index.ts'
import type { BackendFault, BackendTrouble } from '../../../services/workbench/hosts/index.ts'
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
  if (label !== undefined) return { label, tone: 'fail', detail: 'Requests to the backend do not succeed.' }
  const health = CONNECTION[connection.phase]
  if (connection.phase !== 'reconnecting' && connection.phase !== 'denied') return health
  const attempt = connection.attempt > 0 ? ` Attempt ${connection.attempt}.` : ''
  const reason = connection.reason === undefined ? '' : ` Reason: ${explainChannel(connection.reason)}.`
  return { ...health, detail: `${health.detail}${attempt}${reason}` }
}
