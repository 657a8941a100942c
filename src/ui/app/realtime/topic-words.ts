// What the state of a channel means, in words, and the way on.
import type { ChannelStatus, ClientStatus, ConnectionPhase } from '../../../index.ts'
import { CONNECTION_LOST, explainChannel } from '../channel-reason.ts'
import type { Tone } from '../../widgets/pill.tsx'

export const TONES: Readonly<Record<ChannelStatus['phase'], Tone>> = {
  waiting: 'pending',
  joining: 'pending',
  joined: 'ok',
  retrying: 'pending',
  denied: 'fail',
  left: 'stale',
}

/** What happened between two states, for the history; nothing where nobody would ask. */
export function stateWords(before: ChannelStatus, now: ChannelStatus): string | undefined {
  if (now.phase !== before.phase) return now.phase === 'left' ? undefined : now.phase
  if (now.postgres !== before.postgres && now.postgres !== 'none') return `row changes ${now.postgres}`
  return undefined
}

/** What can be done about a channel that is not as it should be. */
export type WayOn = 'again' | 'private' | 'settings'

export interface TopicNews {
  readonly tone: 'fail' | 'info'
  readonly text: string
  readonly ways: readonly WayOn[]
}

const WAITING: Readonly<Record<ConnectionPhase, string>> = {
  idle: 'The connection is about to be opened.',
  connecting: 'The connection is being opened.',
  waitingForToken: 'A new access token is waited for: without one the join would be refused.',
  open: 'A live access token is waited for.',
  probing: 'The connection is asked for a sign of life.',
  reconnecting: 'The connection was lost; it is opened again by itself.',
  suspended: 'The device is offline, or the page was hidden for long; it goes on by itself.',
  denied: 'The backend refuses the connection; it is tried again every two minutes.',
}

/** The first letter as a sentence has it. */
const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** Nothing where all is well. What was heard and what is being written stays in any case. */
export function topicNews(
  status: ChannelStatus,
  { connection, network }: Pick<ClientStatus, 'connection' | 'network'>,
): TopicNews | undefined {
  const reason = status.reason === undefined ? undefined : explainChannel(status.reason)
  switch (status.phase) {
    case 'denied':
      return {
        tone: 'fail',
        text: `The backend refused: ${reason ?? 'it does not say why'}. It is asked again when the token or the settings change.`,
        ways: [...(/private/i.test(reason ?? '') ? ['private' as const] : []), 'again', 'settings'],
      }
    case 'retrying':
      return {
        tone: 'info',
        text: `Not joined: ${reason ?? 'no answer'}. It is tried again by itself, with growing pauses.`,
        ways: ['again'],
      }
    case 'waiting': {
      const words = network === 'offline' ? WAITING.suspended : WAITING[connection.phase]
      // That the connection was lost is said once.
      const isSaid =
        connection.phase === 'reconnecting' && network !== 'offline' && reason === CONNECTION_LOST
      const why = reason === undefined || isSaid ? '' : ` ${sentence(reason)}`
      return { tone: 'info', text: `Not joined yet. ${words}${why}`, ways: [] }
    }
    case 'joining':
    case 'left':
      return undefined
    case 'joined':
      return postgresNews(status, reason)
  }
}

function postgresNews({ postgres }: ChannelStatus, reason: string | undefined): TopicNews | undefined {
  if (postgres === 'configError')
    return {
      tone: 'fail',
      text: `Row changes cannot be had as they were asked for: ${reason ?? 'the backend does not say why'}. Messages go on.`,
      ways: ['settings'],
    }
  if (postgres === 'retrying')
    return {
      tone: 'info',
      text: `Row changes do not arrive at present: ${reason ?? 'no word of them'}. It is tried again by itself.`,
      ways: ['again'],
    }
  return undefined
}
