// A topic as the page shows it: who is there, what was said.
import type { PresenceState } from '../../../index.ts'

export interface Message {
  readonly id: number
  readonly from: string
  readonly text: string
  /** ISO time at the sender; undefined when none was sent along. */
  readonly at: string | undefined
  readonly phase: 'received' | 'sending' | 'sent' | 'failed'
  readonly problem?: string
}

export type ConversationAction =
  | { readonly type: 'message.received'; readonly event: string; readonly payload: unknown }
  | {
      readonly type: 'message.sending'
      readonly id: number
      readonly from: string
      readonly text: string
      readonly at: string
    }
  | { readonly type: 'message.sent'; readonly id: number }
  | { readonly type: 'message.failed'; readonly id: number; readonly problem: string }

export interface Conversation {
  readonly messages: readonly Message[]
  readonly nextId: number
}

export const SILENCE: Conversation = { messages: [], nextId: 1 }

/** More than anyone reads back; older ones are dropped. */
const MOST_MESSAGES = 500

/** Why a channel is not joined, in words; socket close codes mean nothing to most people. */
export const explainChannel = (reason: string): string =>
  /^closed with \d+/.test(reason) ? 'the connection to the backend was lost' : reason.replace(/\.$/, '')

/** The event under which the page sends; others are shown as they are. */
export const MESSAGE_EVENT = 'message'

const field = (payload: unknown, name: string): string | undefined => {
  const value: unknown =
    typeof payload === 'object' && payload !== null ? Reflect.get(payload, name) : undefined
  return typeof value === 'string' ? value : undefined
}

const toMessage = (id: number, event: string, payload: unknown): Message => {
  const text = field(payload, 'text')
  const body = text ?? JSON.stringify(payload)
  return {
    id,
    from: field(payload, 'from') ?? 'someone',
    text: event === MESSAGE_EVENT ? body : `${event}: ${body}`,
    at: field(payload, 'at'),
    phase: 'received',
  }
}

const settle = (state: Conversation, id: number, part: Partial<Message>): Conversation => ({
  ...state,
  messages: state.messages.map(message => (message.id === id ? { ...message, ...part } : message)),
})

const append = (state: Conversation, message: Message): Conversation => ({
  messages: [...state.messages, message].slice(-MOST_MESSAGES),
  nextId: Math.max(state.nextId, message.id + 1),
})

/** The next state of the conversation. */
export const conversationReducer = (state: Conversation, action: ConversationAction): Conversation => {
  switch (action.type) {
    case 'message.received':
      return append(state, toMessage(state.nextId, action.event, action.payload))
    case 'message.sending': {
      const { id, from, text, at } = action
      return append(state, { id, from, text, at, phase: 'sending' })
    }
    case 'message.sent':
      return settle(state, action.id, { phase: 'sent' })
    case 'message.failed':
      return settle(state, action.id, { phase: 'failed', problem: action.problem })
  }
}

export interface Person {
  readonly key: string
  readonly name: string
  /** Tabs or devices of the same person. */
  readonly places: number
}

/** Who is there, by name; the metas of one key are one person. */
export const peopleOf = (presence: PresenceState): readonly Person[] =>
  Object.entries(presence)
    .filter(([, metas]) => metas.length > 0)
    .map(([key, metas]) => ({ key, name: field(metas[0], 'name') ?? key, places: metas.length }))
    .sort((a, b) => a.name.localeCompare(b.name))
