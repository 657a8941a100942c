// The call history, newest first; stored entries contain no secrets.
import { array, nullable, number, object, optional, string, type InferOutput } from 'valibot'
import { createRedactor, isPlainHeader, isSecretUnder } from '../../../trace/index.ts'
import { BODY_FILE, draftSchema, type Draft, type DraftFiles, type Pair } from './call-draft.ts'
import type { CallState } from './call-state.ts'
import { parseExact } from '../text/index.ts'
import { jsonProblem } from '../text/json-problem.ts'

const entrySchema = object({
  id: string(),
  draft: draftSchema,
  /** ISO time of sending. */
  at: string(),
  /** Null without a response. */
  status: nullable(number()),
  /** `done`, `failed` or `canceled`. */
  outcome: string(),
  duration: number(),
  size: number(),
  type: optional(string(), ''),
})

export type HistoryEntry = InferOutput<typeof entrySchema>

export const historySchema = array(entrySchema)

const MOST_ENTRIES = 60
/** Limit for all entries as JSON: browsers store a few million characters per site. */
const MOST_KEPT = 1_000_000
/** Longer bodies are not kept over a reload; the limit for history entries is lower. */
const MOST_DRAFT = 500_000
const MOST_ENTRY = 50_000
/** Matches `HIDDEN`, so that it cannot be sent in place of the original value. */
const NOT_KEPT = '[redacted:0] Too long to store.'

export type Redactor = ReturnType<typeof createRedactor>

const hiddenPair =
  (redactor: Redactor) =>
  (pair: Pair): Pair => {
    const name = pair.name.trim()
    // Query parameters such as `key` and `code` often contain secrets; JSON keys of these names rarely do.
    if (isSecretUnder(name, pair.value, 'query')) return { ...pair, value: hiddenAs(redactor, pair.value) }
    return { ...pair, value: redactor.value({ [name]: pair.value })[name] ?? pair.value }
  }

/** Any header may contain a secret of a function: only values of known harmless headers are stored. */
const hiddenHeader =
  (redactor: Redactor) =>
  (pair: Pair): Pair =>
    isPlainHeader(pair.name)
      ? { ...pair, value: redactor.value(pair.value) }
      : { ...pair, value: hiddenAs(redactor, pair.value) }

export const hiddenAs = (redactor: Redactor, value: string): string =>
  value === '' ? value : redactor.value({ secret: value }).secret

/** JSON without secrets; other text without known formats of secrets. */
export function hiddenJson(redactor: Redactor, text: string, indent = 2): string {
  if (jsonProblem(text) !== undefined) return redactor.value(text)
  const value: unknown = parseExact(text)
  const hidden = redactor.value(value)
  // Keep the original text when nothing is hidden: formatting would change it.
  return JSON.stringify(hidden) === JSON.stringify(value) ? text : JSON.stringify(hidden, null, indent)
}

/** A draft that may be stored: without secrets, files and very long bodies. */
export function withoutSecrets(draft: Draft, maxLength = MOST_DRAFT): Draft {
  const redactor = createRedactor()
  const hide = hiddenPair(redactor)
  return {
    ...draft,
    name: redactor.value(draft.name),
    query: draft.query.map(hide),
    headers: draft.headers.map(hiddenHeader(redactor)),
    form: draft.form.map(hide),
    json: draft.json.length > maxLength ? NOT_KEPT : hiddenJson(redactor, draft.json),
    text: draft.text.length > maxLength ? NOT_KEPT : redactor.value(draft.text),
  }
}

/** The history entry of a finished call. */
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

/** Truncates the history to its limits. */
function within(list: readonly HistoryEntry[]): readonly HistoryEntry[] {
  let room = MOST_KEPT
  return list.slice(0, MOST_ENTRIES).filter(each => {
    room -= JSON.stringify(each).length
    return room > 0
  })
}

/** Adds an entry at the front. */
export const withEntry = (list: readonly HistoryEntry[], entry: HistoryEntry): readonly HistoryEntry[] =>
  within([entry, ...list])

/** Applies a tab's change to the stored history, keeping calls of other tabs. */
export function besideOthers(
  stored: readonly HistoryEntry[],
  before: readonly HistoryEntry[],
  now: readonly HistoryEntry[],
): readonly HistoryEntry[] {
  const missing = (list: readonly HistoryEntry[], of: readonly HistoryEntry[]) =>
    of.filter(({ id }) => !list.some(each => each.id === id))
  const [addedEntries, forgotten] = [missing(before, now), missing(now, before)]
  return within([...addedEntries, ...missing([...addedEntries, ...forgotten], stored)])
}

/** Whether two drafts describe the same call. */
export const isSameDraft = (one: Draft, b: Draft): boolean => JSON.stringify(one) === JSON.stringify(b)

/** Whether a draft is in the history. */
export const wasSent = (draft: Draft, list: readonly HistoryEntry[]): boolean => {
  const safeDraft = withoutSecrets(draft, MOST_ENTRY)
  return list.some(entry => isSameDraft(entry.draft, safeDraft))
}

/** The files that a draft still refers to. */
export function filesFor(draft: Draft, files: DraftFiles): DraftFiles {
  const fileIds = new Set([...draft.form.map(({ id }) => id), ...(draft.fileName === '' ? [] : [BODY_FILE])])
  return Object.fromEntries(Object.entries(files).filter(([id]) => fileIds.has(id)))
}

/** Entries whose name, status, body or response contains the text. */
export function findEntries(
  list: readonly HistoryEntry[],
  text: string,
  isInResponse: (id: string) => boolean = () => false,
): readonly HistoryEntry[] {
  const pattern = text.trim().toLowerCase()
  if (pattern === '') return list
  return list.filter(
    ({ id, draft, status }) =>
      [draft.method, draft.name, String(status ?? ''), draft.json, draft.text]
        .join(' ')
        .toLowerCase()
        .includes(pattern) || isInResponse(id),
  )
}
