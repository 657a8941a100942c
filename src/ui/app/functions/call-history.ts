// The calls that were made, newest first: what is kept of each holds no secret.
import { array, nullable, number, object, optional, string, type InferOutput } from 'valibot'
import { createRedactor } from '../../../trace/redact.ts'
import { isSecretUnder } from '../../../trace/secret-names.ts'
import { isPlainHeader } from '../../../trace/plain-headers.ts'
import { BODY_FILE, draftSchema, type Draft, type DraftFiles, type Pair } from './call-draft.ts'
import type { CallState } from './call-state.ts'
import { jsonProblem } from '../json/json-problem.ts'

const entrySchema = object({
  id: string(),
  draft: draftSchema,
  /** ISO time of sending. */
  at: string(),
  /** Null when no answer came. */
  status: nullable(number()),
  /** `done`, `failed` or `stopped`. */
  outcome: string(),
  duration: number(),
  size: number(),
  type: optional(string(), ''),
})

export type HistoryEntry = InferOutput<typeof entrySchema>

export const historySchema = array(entrySchema)

const MOST_ENTRIES = 60
/** All of them together, as JSON: browsers keep a few million characters for everything. */
const MOST_KEPT = 1_000_000
/** A longer body is not kept over a reload, and one of the history even less. */
const MOST_DRAFT = 500_000
const MOST_ENTRY = 50_000
/** Found by `HIDDEN`: it must not be sent in place of what stood there. */
const NOT_KEPT = '[redacted:0] It was too long to be kept.'

type Redactor = ReturnType<typeof createRedactor>

const hiddenPair =
  (redactor: Redactor) =>
  (pair: Pair): Pair => {
    const name = pair.name.trim()
    // Parameters such as `key` and `code` hold secrets; as keys of JSON they rarely do.
    if (isSecretUnder(name, pair.value, 'query')) return { ...pair, value: hiddenAs(redactor, pair.value) }
    return { ...pair, value: redactor.value({ [name]: pair.value })[name] ?? pair.value }
  }

/** Any header may hold a secret of a function's own: values of well-known plain ones alone are kept. */
const hiddenHeader =
  (redactor: Redactor) =>
  (pair: Pair): Pair =>
    isPlainHeader(pair.name)
      ? { ...pair, value: redactor.value(pair.value) }
      : { ...pair, value: hiddenAs(redactor, pair.value) }

const hiddenAs = (redactor: Redactor, value: string): string =>
  value === '' ? value : redactor.value({ secret: value }).secret

function hiddenJson(redactor: Redactor, text: string): string {
  if (jsonProblem(text) !== undefined) return redactor.value(text)
  const value: unknown = JSON.parse(text)
  const hidden = redactor.value(value)
  // As it was written, where there is nothing to hide: reading and writing it changes long numbers.
  return JSON.stringify(hidden) === JSON.stringify(value) ? text : JSON.stringify(hidden, null, 2)
}

/** A draft that may be stored: secrets, files and very long bodies are taken out. */
export function withoutSecrets(draft: Draft, most = MOST_DRAFT): Draft {
  const redactor = createRedactor()
  const hide = hiddenPair(redactor)
  return {
    ...draft,
    name: redactor.value(draft.name),
    query: draft.query.map(hide),
    headers: draft.headers.map(hiddenHeader(redactor)),
    form: draft.form.map(hide),
    json: draft.json.length > most ? NOT_KEPT : hiddenJson(redactor, draft.json),
    text: draft.text.length > most ? NOT_KEPT : redactor.value(draft.text),
  }
}

/** What is kept of a call that is over. */
export function entryOf(call: Exclude<CallState, { phase: 'none' | 'sending' | 'receiving' }>): HistoryEntry {
  return {
    id: `${call.sentAt}#${call.id}`,
    draft: withoutSecrets(call.draft, MOST_ENTRY),
    at: call.sentAt,
    status: call.head?.status ?? null,
    outcome: call.phase,
    duration: call.duration,
    size: call.body?.size ?? 0,
    type: call.head?.type ?? '',
  }
}

/** As many as are kept. */
function within(list: readonly HistoryEntry[]): readonly HistoryEntry[] {
  let room = MOST_KEPT
  return list.slice(0, MOST_ENTRIES).filter(each => {
    room -= JSON.stringify(each).length
    return room > 0
  })
}

/** With one more at the front. */
export const withEntry = (list: readonly HistoryEntry[], entry: HistoryEntry): readonly HistoryEntry[] =>
  within([entry, ...list])

/** What is stored, with the same done to it as to a tab's own: calls of other tabs stay. */
export function besideOthers(
  stored: readonly HistoryEntry[],
  before: readonly HistoryEntry[],
  now: readonly HistoryEntry[],
): readonly HistoryEntry[] {
  const missing = (list: readonly HistoryEntry[], of: readonly HistoryEntry[]) =>
    of.filter(({ id }) => !list.some(each => each.id === id))
  const [made, forgotten] = [missing(before, now), missing(now, before)]
  return within([...made, ...missing([...made, ...forgotten], stored)])
}

/** Whether two drafts ask for the same. */
export const isSameDraft = (one: Draft, other: Draft): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** Whether a draft is at hand among the calls that were made. */
export const wasSent = (draft: Draft, list: readonly HistoryEntry[]): boolean => {
  const known = withoutSecrets(draft, MOST_ENTRY)
  return list.some(entry => isSameDraft(entry.draft, known))
}

/** The files that a draft still names. */
export function filesFor(draft: Draft, files: DraftFiles): DraftFiles {
  const wanted = new Set([...draft.form.map(({ id }) => id), ...(draft.fileName === '' ? [] : [BODY_FILE])])
  return Object.fromEntries(Object.entries(files).filter(([id]) => wanted.has(id)))
}

/** Entries whose name, path or body holds the words. */
export function findEntries(list: readonly HistoryEntry[], words: string): readonly HistoryEntry[] {
  const wanted = words.trim().toLowerCase()
  if (wanted === '') return list
  return list.filter(({ draft, status }) =>
    [draft.method, draft.name, String(status ?? ''), draft.json, draft.text]
      .join(' ')
      .toLowerCase()
      .includes(wanted),
  )
}
