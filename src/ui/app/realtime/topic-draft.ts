// A message as it is being written: words, a JSON payload under any name, or bytes.
import { fallback, object, picklist, string, type InferOutput } from 'valibot'
import { bytesOfHex } from '../hex.ts'
import { jsonProblem } from '../json/json-problem.ts'

const MODES = ['words', 'json', 'bytes'] as const

export const topicDraftSchema = object({
  mode: fallback(picklist(MODES), 'words'),
  words: fallback(string(), ''),
  event: fallback(string(), 'message'),
  json: fallback(string(), '{}'),
  /** In hexadecimal. */
  hex: fallback(string(), ''),
  /** What is shown of oneself, as JSON. */
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

/** The event under which words are sent. */
const MESSAGE_EVENT = 'message'

export interface Outgoing {
  readonly event: string
  readonly payload: unknown
}

/** @param at ISO time of day, sent along with words. */
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
        ? { problem: 'Write something first.' }
        : { event: MESSAGE_EVENT, payload: { from, text, at } }
    }
    case 'json': {
      if (event === '') return { problem: 'Name the event.' }
      const problem = jsonProblem(draft.json)
      return problem ? { problem: problem.message } : { event, payload: JSON.parse(draft.json) as unknown }
    }
    case 'bytes': {
      if (event === '') return { problem: 'Name the event.' }
      const bytes = bytesOfHex(draft.hex)
      if (!bytes) return { problem: 'Bytes are written in hexadecimal, two digits each: 0a ff 1c.' }
      return bytes.length === 0
        ? { problem: 'Write some bytes, or choose a file.' }
        : { event, payload: bytes.buffer }
    }
  }
}

/** What a text of JSON says of oneself; a problem for what can't be shown. */
export function ownStateOf(
  text: string,
): { readonly meta: Readonly<Record<string, unknown>> } | { readonly problem: string } {
  const problem = jsonProblem(text)
  if (problem) return { problem: problem.message }
  const meta: unknown = JSON.parse(text)
  return typeof meta === 'object' && meta !== null && !Array.isArray(meta)
    ? { meta: meta as Readonly<Record<string, unknown>> }
    : { problem: 'A state is an object: { "name": "…" }.' }
}
