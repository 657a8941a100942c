// A topic as the page shows it: who is there, what was said.
import type { PresenceState } from '../../../index.ts'

export interface Message {
  /** Counted upwards for what is heard; what is said has numbers of its own below zero. */
  readonly id: number
  readonly from: string
  readonly text: string
  /** ISO time at the sender; undefined when none, or none that can be read, was sent along. */
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

/** The event under which the page sends; others are shown as they are. */
export const MESSAGE_EVENT = 'message'

const field = (payload: unknown, name: string): string | undefined => {
  const value: unknown =
    typeof payload === 'object' && payload !== null ? Reflect.get(payload, name) : undefined
  return typeof value === 'string' ? value : undefined
}

const time = (text: string | undefined) =>
  text === undefined || Number.isNaN(Date.parse(text)) ? undefined : text

const toMessage = (id: number, event: string, payload: unknown): Message => {
  const text = field(payload, 'text')
  const body = text ?? JSON.stringify(payload)
  return {
    id,
    from: field(payload, 'from') ?? 'someone',
    text: event === MESSAGE_EVENT ? body : `${event}: ${body}`,
    at: time(field(payload, 'at')),
    phase: 'received',
  }
}

const settle = (state: Conversation, id: number, part: Partial<Message>): Conversation => ({
  ...state,
  messages: state.messages.map(message => (message.id === id ? { ...message, ...part } : message)),
})

const append = (messages: readonly Message[], message: Message) =>
  [...messages, message].slice(-MOST_MESSAGES)

/** The next state of the conversation. */
export const conversationReducer = (state: Conversation, action: ConversationAction): Conversation => {
  switch (action.type) {
    case 'message.received':
      return {
        messages: append(state.messages, toMessage(state.nextId, action.event, action.payload)),
        nextId: state.nextId + 1,
      }
    case 'message.sending': {
      const { id, from, text, at } = action
      return { ...state, messages: append(state.messages, { id, from, text, at, phase: 'sending' }) }
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
