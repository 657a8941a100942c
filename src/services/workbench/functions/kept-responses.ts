// Responses of past calls: in memory only, without secrets, and searchable together with the history.
import { createRedactor, isPlainHeader } from '../../../trace/index.ts'
import { hiddenAs, hiddenJson, type Redactor } from './call-history.ts'
import type { CallState, Head } from './call-state.ts'
import { isTextual } from './describe-response.ts'

export interface KeptResponse extends Pick<Head, 'status' | 'statusText' | 'kind' | 'type' | 'headers'> {
  /** Undefined for a binary body, and for one that is too long to keep. */
  readonly text: string | undefined
  /** Bytes of the body. */
  readonly size: number
}

/** By the id of the call in the history. */
export type KeptResponses = ReadonlyMap<string, KeptResponse>

export const NO_RESPONSES: KeptResponses = new Map()

/** Characters of a body; a longer one is not cut, since its secrets could not be found then. */
const MOST_TEXT = 1_000_000
/** Characters of all bodies. */
const MOST_KEPT = 10_000_000

/** Events and lines contain one JSON value each. */
const hiddenLine =
  (redactor: Redactor) =>
  (line: string): string => {
    const [, start = '', rest = ''] = /^(data: ?)?(.*)$/s.exec(line) ?? []
    return /^\s*[[{]/.test(rest) ? start + hiddenJson(redactor, rest, 0) : redactor.value(line)
  }

const hiddenBody = (redactor: Redactor, kind: Head['kind'], text: string): string =>
  kind === 'events' || kind === 'lines'
    ? text.split('\n').map(hiddenLine(redactor)).join('\n')
    : hiddenJson(redactor, text)

/** What is kept of a call; undefined when no response came. */
export function keptResponse(call: CallState): KeptResponse | undefined {
  if (call.phase === 'none' || call.phase === 'sending' || call.head === undefined) return undefined
  const { head, body } = call
  const { status, statusText, kind, type } = head
  const redactor = createRedactor()
  const isKept = isTextual(kind) && body !== undefined && body.text.length <= MOST_TEXT && body.unkept === 0
  return {
    status,
    statusText,
    kind,
    type,
    headers: head.headers.map(([name, value]) => [
      name,
      isPlainHeader(name) ? redactor.value(value) : hiddenAs(redactor, value),
    ]),
    text: isKept ? hiddenBody(redactor, kind, body.text) : undefined,
    size: body?.size ?? 0,
  }
}

/** Keeps the responses of calls that are still in the history, newest first, as far as there is room. */
export function keptWith(responses: KeptResponses, ids: readonly string[]): KeptResponses {
  let room = MOST_KEPT
  const kept = ids.flatMap(id => {
    const response = responses.get(id)
    room -= response?.text?.length ?? 0
    return response === undefined || room < 0 ? [] : [[id, response] as const]
  })
  return new Map(kept)
}

/** Characters around a match. */
const AROUND = 40

/** The place in a response that contains the text, in one line; undefined when none does. */
export function matchIn(response: KeptResponse, words: string): string | undefined {
  const pattern = words.trim().toLowerCase()
  if (pattern === '') return undefined
  const lines = [...response.headers.map(([name, value]) => `${name}: ${value}`), response.text ?? '']
  for (const text of lines) {
    const at = text.toLowerCase().indexOf(pattern)
    if (at < 0) continue
    const [from, to] = [Math.max(0, at - AROUND), at + pattern.length + AROUND]
    const excerpt = text.slice(from, to).replaceAll(/\s+/g, ' ').trim()
    return `${from > 0 ? '…' : ''}${excerpt}${to < text.length ? '…' : ''}`
  }
  return undefined
}
