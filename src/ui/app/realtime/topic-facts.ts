// What is so of a topic at a moment, as the page shows it.
import type { ChannelStatus, PresenceState } from '../../../index.ts'
import type { TopicDraft } from './topic-draft.ts'
import type { TopicSettings } from './topic-settings.ts'

export interface TopicState {
  readonly settings: TopicSettings
  /** Whether the topic is in use; false once it was left. */
  readonly isIn: boolean
  readonly status: ChannelStatus
  readonly presence: PresenceState
  readonly draft: TopicDraft
  /** Why the message or the own state can't be sent as it is written. */
  readonly problem: string | undefined
  readonly ownProblem: string | undefined
  /** Whether the own state is shown to the others. */
  readonly isShown: boolean
  /** Entries of the log that came while another page or topic was looked at. */
  readonly unread: number
  /** Another for each change of the log. */
  readonly version: number
}

export const LEFT: ChannelStatus = { phase: 'left', postgres: 'none', data: 'none' }

/** Before the first join; others see the user's name unless told. */
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
