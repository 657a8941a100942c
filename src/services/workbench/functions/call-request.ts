// Converts a draft to a request: path, headers and body; and to a call that is shown as code.
import type { RequestOptions } from '../../client/index.ts'
import { BODY_FILE, livePairs, takesBody, type Draft, type DraftFiles } from './call-draft.ts'
import { parseExact } from '../text/index.ts'
import type { CallSpec } from '../rest/call-spec.ts'

export interface OutgoingCall {
  /** Path below the backend's URL, including the query. */
  readonly path: string
  readonly method: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string | Blob | FormData | undefined
}

/** `/functions/v1/…`, with each segment encoded. */
const functionPath = (name: string): string => {
  const parts = name.trim().replace(/^\/+/, '').split('/')
  return `/functions/v1/${parts.map(part => encodeURIComponent(decoded(part))).join('/')}`
}

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function queryOf({ query, region }: Draft): string {
  const params = new URLSearchParams(livePairs(query).map(({ name, value }) => [name.trim(), value]))
  if (region !== 'any') params.set('forceFunctionRegion', region)
  return params.size === 0 ? '' : `?${params}`
}

const TYPES: Partial<Record<Draft['kind'], string>> = {
  json: 'application/json',
  text: 'text/plain; charset=utf-8',
}

function bodyOf(draft: Draft, files: DraftFiles): OutgoingCall['body'] {
  if (!takesBody(draft.method)) return undefined
  switch (draft.kind) {
    case 'none':
      return undefined
    case 'json':
      return draft.json.trim() === '' ? undefined : draft.json
    case 'text':
      return draft.text
    case 'form':
      return formOf(draft, files)
    case 'file':
      return files[BODY_FILE]
  }
}

function formOf({ form }: Draft, files: DraftFiles): FormData {
  const data = new FormData()
  for (const { id, name, value, fileName } of livePairs(form)) {
    const file = files[id]
    if (fileName !== undefined && file) data.append(name.trim(), file)
    else data.append(name.trim(), value)
  }
  return data
}

/** The request for a valid draft; entered headers override derived ones. */
export function outgoingCall(draft: Draft, files: DraftFiles): OutgoingCall {
  const body = bodyOf(draft, files)
  const written = livePairs(draft.headers).map(({ name, value }) => [name.trim(), value] as const)
  const isWritten = (name: string) => written.some(([each]) => each.toLowerCase() === name)
  const type = body === undefined ? undefined : typeOf(draft, body)
  const ownHeaders = [
    ...(type === undefined || isWritten('content-type') ? [] : [['content-type', type] as const]),
    ...(draft.region === 'any' ? [] : [['x-region', draft.region] as const]),
  ]
  return {
    path: functionPath(draft.name) + queryOf(draft),
    method: draft.method,
    headers: [...ownHeaders, ...written],
    body,
  }
}

/** A form's type contains a boundary that only the browser knows. */
const typeOf = ({ kind }: Draft, body: NonNullable<OutgoingCall['body']>): string | undefined => {
  if (body instanceof FormData) return undefined
  return body instanceof Blob ? body.type || 'application/octet-stream' : TYPES[kind]
}

/** Above this, the request's overall deadline is extended too. */
const USUAL_SECONDS = 60

/** The timeouts of a call. */
export function callTimes({ timeout }: Draft): Pick<RequestOptions, 'timeout' | 'deadline'> {
  const seconds = Number(timeout)
  return {
    ...(seconds > 0 && { timeout: seconds * 1000 }),
    ...(seconds > USUAL_SECONDS && { deadline: (seconds + USUAL_SECONDS) * 1000 }),
  }
}

/** Forms and files have no textual form. */
export const canCopy = ({ name, method, kind }: Draft): boolean =>
  name.trim() !== '' && !(takesBody(method) && (kind === 'form' || kind === 'file'))

/** A JSON body is copied as a value, so that it appears as code and not as a string. */
export function copySpec(draft: Draft, files: DraftFiles): CallSpec {
  const { method, headers, body } = outgoingCall(draft, files)
  const region = draft.region === 'any' ? [] : [['forceFunctionRegion', draft.region] as const]
  const isJson = draft.kind === 'json' && typeof body === 'string'
  return {
    method,
    path: functionPath(draft.name),
    query: [...livePairs(draft.query).map(({ name, value }) => [name.trim(), value] as const), ...region],
    headers: Object.fromEntries(headers),
    ...(typeof body === 'string' ? { body: isJson ? parsed(body) : body } : {}),
  }
}

const parsed = (text: string): unknown => {
  try {
    return parseExact(text)
  } catch {
    return text
  }
}
