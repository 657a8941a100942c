// A message draft: text, a JSON payload with any event name, or binary data.
import { fallback, object, picklist, string, type InferOutput } from 'valibot'
import { bytesOfHex } from '../text/hex.ts'
import { jsonProblem } from '../text/json-problem.ts'

const MODES = ['words', 'json', 'bytes'] as const

export const topicDraftSchema = object({
  mode: fallback(picklist(MODES), 'words'),
  words: fallback(string(), ''),
  event: fallback(string(), 'message'),
  json: fallback(string(), '{}'),
  /** Hexadecimal. */
  hex: fallback(string(), ''),
  /** The user's presence state as JSON. */
  own: fallback(string(), ''),
})

export type TopicDraft = InferOutput<typeof topicDraftSchema>

export const EMPTY_TOPIC_DRAFT: TopicDraft = {
  mode: 'words',
  words: '',
  event: 'message',
  json: '{}',
  hex: '',
  own: '',
}

/** The event name of text messages. */
const MESSAGE_EVENT = 'message'

export interface Outgoing {
  readonly event: string
  readonly payload: unknown
}

/** @param at ISO date and time, sent with text messages */
export function outgoingOf(
  draft: TopicDraft,
  from: string,
  at: string,
): Outgoing | { readonly problem: string } {
  const event = draft.event.trim()
  switch (draft.mode) {
    case 'words': {
      const text = draft.words.trim()
      return text === ''
        ? { problem: 'Enter a message.' }
        : { event: MESSAGE_EVENT, payload: { from, text, at } }
    }
    case 'json': {
      if (event === '') return { problem: 'Enter an event name.' }
      const problem = jsonProblem(draft.json)
      return problem ? { problem: problem.message } : { event, payload: JSON.parse(draft.json) as unknown }
    }
    case 'bytes': {
      if (event === '') return { problem: 'Enter an event name.' }
      const bytes = bytesOfHex(draft.hex)
      if (!bytes) return { problem: 'Enter hexadecimal bytes, two digits each: 0a ff 1c.' }
      return bytes.length === 0
        ? { problem: 'Enter some bytes, or choose a file.' }
        : { event, payload: bytes.buffer }
    }
  }
}

/** Parses the presence state; returns a problem for what is not an object. */
export function ownStateOf(
  text: string,
): { readonly meta: Readonly<Record<string, unknown>> } | { readonly problem: string } {
  const problem = jsonProblem(text)
  if (problem) return { problem: problem.message }
  const meta: unknown = JSON.parse(text)
  return typeof meta === 'object' && meta !== null && !Array.isArray(meta)
    ? { meta: meta as Readonly<Record<string, unknown>> }
    : { problem: 'The state must be an object: { "name": "…" }.' }
}
