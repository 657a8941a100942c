// A snapshot of a topic for the page.
import type { ChannelStatus, PresenceState } from '../../client/index.ts'
import type { TopicDraft } from './topic-draft.ts'
import type { TopicSettings } from './topic-settings.ts'

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
  readonly unread: number
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
  unread: 0,
  version: 0,
})
