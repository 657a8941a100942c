// A `fetch` based on XMLHttpRequest, which is the only API with upload progress.
import { BODILESS } from '../requests/responses.ts'

type Fetch = typeof globalThis.fetch

function responseOf(call: XMLHttpRequest): Response {
  const headers = new Headers()
  for (const line of call.getAllResponseHeaders().split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  const body = call.response as ArrayBuffer | null
  const isEmpty = BODILESS.has(call.status) || !body || body.byteLength === 0
  return new Response(isEmpty ? null : body, { status: call.status, statusText: call.statusText, headers })
}

/** Whether upload progress is available. */
export const canReportProgress = (): boolean => typeof XMLHttpRequest !== 'undefined'

/** Returns undefined without XMLHttpRequest. `sent` is called with the number of body bytes sent. */
export function xhrFetch(sent: (bytes: number) => void): Fetch | undefined {
  if (!canReportProgress()) return undefined
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const { signal, method = 'GET', headers, body } = init
      const call = new XMLHttpRequest()
      const abort = () => {
        call.abort()
        reject(signal?.reason as Error)
      }
      if (signal?.aborted) return abort()
      call.open(method, input instanceof Request ? input.url : input)
      call.responseType = 'arraybuffer'
      new Headers(headers).forEach((value, name) => call.setRequestHeader(name, value))
      call.upload.addEventListener('progress', event => sent(event.loaded))
      call.addEventListener('load', () => resolve(responseOf(call)))
      call.addEventListener('error', () => reject(new TypeError('Failed to fetch')))
      call.addEventListener('loadend', () => signal?.removeEventListener('abort', abort))
      signal?.addEventListener('abort', abort, { once: true })
      call.send(body as XMLHttpRequestBodyInit | null)
    })
}
