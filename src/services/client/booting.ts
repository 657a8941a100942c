// The status before the session is known.
import type { ClientStatus } from '../../machines/index.ts'

/** The status in renders on a server, which do not start the client, and during hydration. */
export const BOOTING: ClientStatus = {
  session: { phase: 'booting' },
  key: { state: 'accepted', refusedBy: [], isChecking: false },
  connection: { phase: 'idle', attempt: 0 },
  network: 'online',
  requests: { queued: 0, waiting: 0, sending: 0, receiving: 0 },
  channels: {},
}
