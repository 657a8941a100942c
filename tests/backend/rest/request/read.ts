// Reads requests of tests, and what their errors say.
import { RestError } from '../../../../backend/rest/rest-error.ts'
import type { RestErrorFields } from '../../../../backend/rest/rest-error.ts'
import { readRequest } from '../../../../backend/rest/request/index.ts'
import type { ApiRequest } from '../../../../backend/rest/request/index.ts'

type Settings = Parameters<typeof readRequest>[1]

const defaults: Settings = {
  schemas: ['public'],
  txEnd: 'commit-allow-override',
  openApi: 'follow-privileges',
  rootFunction: undefined,
}

export interface Sent {
  readonly method?: string
  readonly headers?: HeadersInit
  readonly body?: BodyInit
  readonly settings?: Partial<Settings>
}

/** @param path Without the prefix. */
export function read(path: string, { settings, ...init }: Sent = {}): Promise<ApiRequest> {
  const request = new Request(`http://localhost:3000/rest/v1${path}`, init)
  return readRequest(request, { ...defaults, ...settings })
}

export const readQuery = async (query: string, path = '/items'): Promise<ApiRequest['query']> =>
  (await read(`${path}?${query}`)).query

/** The error of a request that is refused. */
export async function refusalOf(path: string, sent?: Sent): Promise<RestErrorFields> {
  try {
    await read(path, sent)
  } catch (error) {
    if (error instanceof RestError) return error.fields
    throw error
  }
  throw new Error(`accepted: ${path}`)
}

export const post = (body: BodyInit, type = 'application/json'): Sent => ({
  method: 'POST',
  body,
  headers: { 'content-type': type },
})

/** Rethrows any error but a request's. */
export async function outcomeOf(work: Promise<unknown>): Promise<'accepted' | 'refused'> {
  try {
    await work
    return 'accepted'
  } catch (error) {
    if (error instanceof RestError && error.fields.status >= 400 && error.fields.status < 500)
      return 'refused'
    throw error
  }
}
