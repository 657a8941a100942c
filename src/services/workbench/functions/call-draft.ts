// A call draft: the form's fields, what is stored of it, and its validation.
import { array, boolean, fallback, object, optional, picklist, string, type InferOutput } from 'valibot'
import { isSecretKey } from '../hosts/api-key.ts'
import { jsonProblem } from '../text/json-problem.ts'

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const
export const BODY_KINDS = ['none', 'json', 'text', 'form', 'file'] as const
/** Region names of the official client. */
export const REGIONS = [
  'any',
  'ap-northeast-1',
  'ap-northeast-2',
  'ap-south-1',
  'ap-southeast-1',
  'ap-southeast-2',
  'ca-central-1',
  'eu-central-1',
  'eu-west-1',
  'eu-west-2',
  'eu-west-3',
  'sa-east-1',
  'us-east-1',
  'us-west-1',
  'us-west-2',
] as const

export type Method = (typeof METHODS)[number]
export type BodyKind = (typeof BODY_KINDS)[number]

const pairSchema = object({
  id: string(),
  on: optional(boolean(), true),
  name: string(),
  value: string(),
  /** For a form part that is a file: its name; the file itself is not stored. */
  fileName: optional(string()),
})

/** A name and value in the query, the headers or a form. */
export type Pair = InferOutput<typeof pairSchema>

export const draftSchema = object({
  /** The function and an optional path: `tide/high`. */
  name: string(),
  method: fallback(picklist(METHODS), 'POST'),
  /** `user`; `public`, with only the API key; or the id of another signed-in account. */
  as: fallback(string(), 'user'),
  region: fallback(picklist(REGIONS), 'any'),
  /** Seconds to wait for the response to start; empty for the default. */
  timeout: fallback(string(), ''),
  query: fallback(array(pairSchema), []),
  headers: fallback(array(pairSchema), []),
  kind: fallback(picklist(BODY_KINDS), 'json'),
  json: fallback(string(), '{}'),
  text: fallback(string(), ''),
  form: fallback(array(pairSchema), []),
  /** Name of the chosen file; the file itself is only in memory. */
  fileName: fallback(string(), ''),
})

export type Draft = InferOutput<typeof draftSchema>

export const EMPTY_DRAFT: Draft = {
  name: '',
  method: 'POST',
  as: 'user',
  region: 'any',
  timeout: '',
  query: [],
  headers: [],
  kind: 'json',
  json: '{}',
  text: '',
  form: [],
  fileName: '',
}

/** Files by the id of their form part; a file as the whole body has the key `BODY_FILE`. */
export type DraftFiles = Readonly<Record<string, File>>
export const BODY_FILE = 'body'

/** Errors to fix before sending, by section of the form. */
export interface DraftProblems {
  readonly name?: string
  readonly query?: string
  readonly headers?: string
  readonly body?: string
  readonly timeout?: string
  readonly as?: string
}

const BODILESS: ReadonlySet<Method> = new Set(['GET', 'HEAD'])

/** Whether a call with this method has a body. */
export const takesBody = (method: Method): boolean => !BODILESS.has(method)

/** Replaces a secret in stored data. */
const HIDDEN = /\[redacted:\d+\]/

const HIDDEN_WORDS = 'Secrets are not stored. Enter them again in place of [redacted].'
const SECRET_WORDS =
  'This is a secret key, which bypasses RLS. It is not sent from a browser: functions have their own.'
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** Pairs to send: enabled and with a name. */
export const livePairs = (pairs: readonly Pair[]): readonly Pair[] =>
  pairs.filter(({ on, name }) => on && name.trim() !== '')

function nameProblem({ name }: Draft): string | undefined {
  const bare = name.trim().replace(/^\/+/, '')
  if (bare === '') return 'Enter a function name.'
  if (/^https?:/i.test(bare)) return 'Enter only the name: calls go to functions of this backend.'
  if (/[\s#?]/.test(bare)) return 'A name can’t contain spaces, # or ?. Add parameters under Query.'
  if (bare.split('/').includes('..')) return 'A name can’t contain “..”.'
  return undefined
}

function headersProblem({ headers }: Draft): string | undefined {
  const live = livePairs(headers)
  const odd = live.find(({ name }) => !HEADER_NAME.test(name.trim()))
  if (odd !== undefined) return `“${odd.name}” is not a valid header name.`
  const invalidPair = live.find(({ value }) => /[^\t\x20-\x7e\x80-\xff]/.test(value))
  if (invalidPair !== undefined)
    return `The value of ${invalidPair.name} contains characters that headers can’t contain.`
  return valuesProblem(live)
}

/** Checks values sent in a URL or a header. */
function valuesProblem(live: readonly Pair[]): string | undefined {
  if (live.some(({ value }) => value.split(/[\s,;"']+/).some(isSecretKey))) return SECRET_WORDS
  return live.some(({ value }) => HIDDEN.test(value)) ? HIDDEN_WORDS : undefined
}

function bodyProblem(draft: Draft, files: DraftFiles): string | undefined {
  if (!takesBody(draft.method)) return undefined
  switch (draft.kind) {
    case 'none':
      return undefined
    case 'json':
      if (draft.json.trim() === '') return undefined
      return HIDDEN.test(draft.json) ? HIDDEN_WORDS : jsonProblem(draft.json)?.message
    case 'text':
      return HIDDEN.test(draft.text) ? HIDDEN_WORDS : undefined
    case 'form': {
      const lostPair = livePairs(draft.form).find(({ id, fileName }) => fileName !== undefined && !files[id])
      if (lostPair !== undefined) return `Choose the file for “${lostPair.name}” again: files are not stored.`
      return draft.form.some(({ value }) => HIDDEN.test(value)) ? HIDDEN_WORDS : undefined
    }
    case 'file':
      return files[BODY_FILE] === undefined ? 'Choose a file.' : undefined
  }
}

const timeoutProblem = ({ timeout }: Draft): string | undefined =>
  timeout.trim() === '' || (Number(timeout) > 0 && Number(timeout) <= 3600)
    ? undefined
    : 'Enter 1 to 3600 seconds, or leave empty.'

/** Empty for a call that can be sent. */
export function draftProblems(draft: Draft, files: DraftFiles): DraftProblems {
  const matches = {
    name: nameProblem(draft),
    query: valuesProblem(livePairs(draft.query)),
    headers: headersProblem(draft),
    body: bodyProblem(draft, files),
    timeout: timeoutProblem(draft),
  }
  return Object.fromEntries(Object.entries(matches).filter(([, problem]) => problem !== undefined))
}

interface Example {
  readonly id: string
  readonly title: string
  readonly draft: Draft
}

type NamedPair = readonly [name: string, value: string]

const query = (...pairs: readonly NamedPair[]): Pair[] =>
  pairs.map(([name, value]) => ({ id: `example-${name}`, on: true, name, value }))

const get = (id: string, title: string, name: string, ...pairs: readonly NamedPair[]): Example => ({
  id,
  title,
  draft: { ...EMPTY_DRAFT, name, method: 'GET', query: query(...pairs) },
})

export const EXAMPLES: readonly Example[] = [
  {
    id: 'tide',
    title: 'Tide at Gullhaven',
    draft: { ...EMPTY_DRAFT, name: 'tide', json: '{ "port": "Gullhaven" }' },
  },
  get('watch', 'Sightings as events', 'watch', ['count', '12'], ['every', '400']),
  get('lines', 'Sightings as lines', 'watch', ['as', 'lines'], ['count', '8'], ['every', '300']),
  get('chart', 'Tide chart as an image', 'chart'),
  get('csv', 'Tide chart as a file', 'chart', ['as', 'csv']),
  get('rocks', 'Error with a body', 'rocks', ['status', '422']),
  {
    id: 'echo',
    title: 'Echo a request',
    draft: {
      ...EMPTY_DRAFT,
      name: 'echo/anything',
      query: query(['of', 'the sea']),
      json: '{ "vessel": "Kittiwake" }',
    },
  },
]
