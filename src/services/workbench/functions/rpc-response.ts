// A call of a database function and its response.
import { type ChartroomClient, describeFailure, type Failure } from '../../client/index.ts'
import type { Row } from '../table/schema.ts'
import { addressOf, bodyText, headersOf, type CallSpec } from '../rest/call-spec.ts'
import { parseExact } from '../text/json-format.ts'

export interface RpcResponse {
  /** 0: no response. */
  readonly status: number
  readonly ms: number
  readonly requestId: string | undefined
  /** Undefined without a JSON body. */
  readonly value?: unknown
  readonly text: string
  /** Why it failed. */
  readonly failure?: Failure & { readonly details: readonly string[] }
  /** The call, for copying as code. */
  readonly spec: CallSpec
}

const valueIn = (text: string): { readonly value?: unknown } => {
  try {
    return { value: parseExact(text) }
  } catch {
    return {}
  }
}

const WORDS = ['message', 'details', 'hint', 'code'] as const

async function failureOf(error: unknown, status: number): Promise<NonNullable<RpcResponse['failure']>> {
  const { kind, message } = await describeFailure(error, status)
  const fields: Readonly<Record<string, unknown>> =
    typeof error === 'object' && error !== null ? { ...error } : {}
  const details =
    status === 0
      ? []
      : WORDS.flatMap(name =>
          typeof fields[name] === 'string' && fields[name] !== message ? [`${name}: ${fields[name]}`] : [],
        )
  return { kind, message, details }
}

/** Makes the call; never rejects unless it was aborted. */
export async function callRpc(
  client: ChartroomClient,
  spec: CallSpec,
  signal: AbortSignal,
  onStart: (request: string) => void,
): Promise<RpcResponse> {
  const started = client.now()
  let requestId: string | undefined
  const body = bodyText(spec)
  const init = { method: spec.method, headers: headersOf(spec), signal, ...(body !== undefined && { body }) }
  const meta = (status: number) => ({ status, ms: client.now() - started, requestId, spec })
  try {
    const response = await client.fetch(addressOf(spec), init, {
      onStart: id => {
        requestId = id
        onStart(id)
      },
    })
    const text = await response.text()
    const read = valueIn(text)
    const { status } = response
    if (response.ok) return { ...meta(status), ...read, text }
    return {
      ...meta(status),
      ...read,
      text,
      failure: await failureOf(read.value ?? { message: text }, status),
    }
  } catch (error) {
    if (signal.aborted) throw error
    return { ...meta(0), text: '', failure: await failureOf(error, 0) }
  }
}

/** The rows of a response, if it has rows. */
export function rowsIn(value: unknown): readonly Row[] | undefined {
  const isRow = (each: unknown): each is Row =>
    typeof each === 'object' && each !== null && !Array.isArray(each) && Object.getPrototypeOf(each) !== null
  return Array.isArray(value) && value.length > 0 && value.every(isRow) ? value : undefined
}
