// A call as copyable code.
import type { CallSpec } from '../rest/call-spec.ts'
import { livePairs, takesBody, type Draft, type DraftFiles } from './call-draft.ts'
import { functionPath, outgoingCall } from './call-request.ts'

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
    return JSON.parse(text)
  } catch {
    return text
  }
}
