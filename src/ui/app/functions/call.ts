// Calling a function and keeping what came back: status, headers, body, duration.
import type { AnyDataClient } from '../database.ts'

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export type Method = (typeof METHODS)[number]

export interface FunctionCall {
  readonly name: string
  readonly method: Method
  /** JSON text; empty for no body. */
  readonly body: string
}

export interface FunctionReply {
  /** Undefined when no answer came. */
  readonly status: number | undefined
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
  /** Milliseconds until the body was read. */
  readonly duration: number
  /** Why there is no answer, or who answered instead of the function. */
  readonly problem?: string
}

const SHOWN_HEADERS = [
  'content-type',
  'content-length',
  'x-relay-error',
  'x-region',
  'sb-request-id',
  'retry-after',
  'x-chartroom-fault',
]

/** A body as text, indented where it is JSON. */
export const prettyBody = (text: string, type: string | null): string => {
  if (type?.includes('json') !== true) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** The error in a typed JSON body, if there is one. */
export const bodyProblem = (call: FunctionCall): string | undefined => {
  if (call.method === 'GET' || call.body.trim() === '') return undefined
  try {
    JSON.parse(call.body)
    return undefined
  } catch {
    return 'This is not valid JSON.'
  }
}

const read = async (response: Response, duration: () => number): Promise<FunctionReply> => {
  // Whoever read the body before leaves a used one.
  const text = response.bodyUsed ? '' : await response.text()
  const headers = SHOWN_HEADERS.flatMap(name => {
    const value = response.headers.get(name)
    return value === null ? [] : [[name, value] as const]
  })
  const body = prettyBody(text, response.headers.get('content-type'))
  const relay =
    response.headers.get('x-relay-error') === 'true' || response.headers.get('x-relay-header') === 'true'
  const problem = relay ? { problem: 'The relay in front of the functions answered, not the function.' } : {}
  return { status: response.status, headers, body, duration: duration(), ...problem }
}

const dataText = async (data: unknown): Promise<string> => {
  if (data === null || data === undefined) return ''
  if (data instanceof Blob) return data.text()
  return typeof data === 'string' ? data : JSON.stringify(data, null, 2)
}

const unreached = (message: string) =>
  /fetch|network|send a request/i.test(message) || message === ''
    ? 'No answer came from the backend.'
    : message

/** Calls by way of supabase-js; never throws. `now` is a monotonic clock. */
export const callFunction = async (
  data: AnyDataClient,
  call: FunctionCall,
  now: () => number,
): Promise<FunctionReply> => {
  const began = now()
  const duration = () => now() - began
  const body =
    call.method === 'GET' || call.body.trim() === '' ? {} : { body: JSON.parse(call.body) as object }
  try {
    const answer = await data.functions.invoke(call.name, { method: call.method, ...body })
    if (answer.error === null) {
      const text = await dataText(answer.data)
      const shown = answer.response === undefined ? undefined : await read(answer.response, duration)
      return { status: shown?.status ?? 200, headers: shown?.headers ?? [], body: text, duration: duration() }
    }
    const { context, message } = answer.error as { context?: unknown; message?: string }
    if (context instanceof Response) return await read(context, duration)
    return {
      status: undefined,
      headers: [],
      body: '',
      duration: duration(),
      problem: unreached(message ?? ''),
    }
  } catch {
    return { status: undefined, headers: [], body: '', duration: duration(), problem: unreached('') }
  }
}
