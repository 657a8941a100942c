// The state of a topic and its channel: its explanation, and the actions that it allows.
import type { ChannelStatus, ClientStatus, ConnectionPhase, PresenceState } from '../../client/index.ts'
import { CONNECTION_LOST, explainChannel } from './channel-reason.ts'
import type { TopicDraft } from './topic-draft.ts'
import type { TopicSettings } from './topic-settings.ts'

export const TONES = {
  waiting: 'pending',
  joining: 'pending',
  joined: 'ok',
  retrying: 'pending',
  denied: 'fail',
  left: 'stale',
} as const satisfies Readonly<Record<ChannelStatus['phase'], string>>

/** Describes a state change for the log; undefined for unimportant ones. */
export function describeState(before: ChannelStatus, now: ChannelStatus): string | undefined {
  if (now.phase !== before.phase) return now.phase === 'left' ? undefined : now.phase
  if (now.postgres !== before.postgres && now.postgres !== 'none') return `row changes ${now.postgres}`
  return undefined
}

/** Actions for a channel with a problem. */
export type WayOn = 'again' | 'private' | 'settings'

export interface TopicNews {
  readonly tone: 'fail' | 'info'
  readonly text: string
  readonly ways: readonly WayOn[]
}

const WAITING: Readonly<Record<ConnectionPhase, string>> = {
  idle: 'The connection will open shortly.',
  connecting: 'The connection is opening.',
  waitingForToken: 'Waiting for a new access token: without one the join would be refused.',
  open: 'Waiting for a valid access token.',
  probing: 'Checking whether the connection is alive.',
  reconnecting: 'The connection was lost; reconnecting automatically.',
  suspended: 'The device is offline, or the page was hidden for a long time; it resumes automatically.',
  denied: 'The backend refuses the connection; retrying every two minutes.',
}

/** Formats text as a sentence. */
const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

/** The channel's problem; undefined when there is none. Log and draft are kept in any case. */
export function topicNews(
  status: ChannelStatus,
  { connection, network }: Pick<ClientStatus, 'connection' | 'network'>,
): TopicNews | undefined {
  const reason = status.reason === undefined ? undefined : explainChannel(status.reason)
  switch (status.phase) {
    case 'denied':
      return {
        tone: 'fail',
        text: `The backend refused: ${reason ?? 'no reason given'}. Retrying when the token or the settings change.`,
        ways: [...(/private/i.test(reason ?? '') ? ['private' as const] : []), 'again', 'settings'],
      }
    case 'retrying':
      return {
        tone: 'info',
        text: `Not joined: ${reason ?? 'no response'}. Retrying automatically, with increasing delays.`,
        ways: ['again'],
      }
    case 'waiting': {
      const text = network === 'offline' ? WAITING.suspended : WAITING[connection.phase]
      // Mention the lost connection only once.
      const isSaid =
        connection.phase === 'reconnecting' && network !== 'offline' && reason === CONNECTION_LOST
      const reasonText = reason === undefined || isSaid ? '' : ` ${sentence(reason)}`
      return { tone: 'info', text: `Not joined yet. ${text}${reasonText}`, ways: [] }
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
      text: `Row changes are not available as requested: ${reason ?? 'no reason given'}. Messages still work.`,
      ways: ['settings'],
    }
  if (postgres === 'retrying')
    return {
      tone: 'info',
      text: `Row changes are not arriving: ${reason ?? 'no reason given'}. Retrying automatically.`,
      ways: ['again'],
    }
  return undefined
}

export interface TopicState {
  readonly settings: TopicSettings
  /** Whether the topic is in use; false after the user left. */
  readonly isIn: boolean
  readonly status: ChannelStatus
  readonly presence: PresenceState
  readonly draft: TopicDraft
  /** Why the message or the presence state cannot be sent. */
  readonly problem: string | undefined
  readonly ownProblem: string | undefined
  /** Whether the user's state is shared. */
  readonly isShown: boolean
  /** Number of entries that arrived while another page or topic was shown. */
  readonly unreadCount: number
  /** Increases with each change of the log. */
  readonly version: number
}

export const LEFT: ChannelStatus = { phase: 'left', postgres: 'none', data: 'none' }

/** The state before the first join; the shared name defaults to the user's name. */
export const firstState = (settings: TopicSettings, draft: TopicDraft, name: string): TopicState => ({
  settings,
  isIn: false,
  status: LEFT,
  presence: {},
  draft: draft.own === '' ? { ...draft, own: JSON.stringify({ name }) } : draft,
  problem: undefined,
  ownProblem: undefined,
  isShown: settings.presence,
  unreadCount: 0,
  version: 0,
})
