// Headers, bodies and messages of the shown system's calls, which are only in the memory of its page.
import { useMemo, useSyncExternalStore } from 'react'
import type {
  CallContent,
  CapturedCall,
  CapturedFrame,
  CapturedHeader,
  NetworkContents,
} from '../../../services/control/index.ts'
import {
  type CodeRequest,
  curlCommand,
  fetchCall,
  jsString,
  maskedHeader,
  type Timeline,
  type Wire,
  type WireAttempt,
} from '../../../trace/index.ts'
import { useConsole } from '../use-console.ts'

const never = () => () => undefined

/** Rerenders at most once in a frame when something is captured. */
export function useNetworkContents(): {
  readonly contents: NetworkContents | undefined
  readonly version: number
} {
  const { network: contents } = useConsole()
  const subscribe = useMemo(() => (contents ? oncePerFrame(contents.subscribe) : never), [contents])
  const version = useSyncExternalStore(subscribe, () => contents?.version() ?? 0)
  return { contents, version }
}

const oncePerFrame =
  (subscribe: NetworkContents['subscribe']): NetworkContents['subscribe'] =>
  listener => {
    let asked = 0
    const unsubscribe = subscribe(() => {
      asked ||= requestAnimationFrame(() => {
        asked = 0
        listener()
      })
    })
    return () => {
      unsubscribe()
      cancelAnimationFrame(asked)
    }
  }

/**
 * Milliseconds by which the record of an attempt may be before and after its call: it is made at the end of the
 * step that calls, which takes long while a page loads.
 */
const BEFORE = 100
const AFTER = 1_000

/** Returns the captured call of each attempt of a request. Equal calls are matched in their order. */
export function capturedCalls(
  calls: readonly CapturedCall[],
  timeline: Pick<Timeline, 'wire'>,
  { method, path, attempts }: Pick<Wire, 'method' | 'path' | 'attempts'>,
): readonly (CapturedCall | undefined)[] {
  const equal = calls.filter(call => call.method === method && isSamePath(pathOf(call.url), path))
  const all = timeline.wire
    .filter(wire => wire.kind !== 'socket' && wire.method === method && wire.path === path)
    .flatMap(wire => wire.attempts)
    .sort((a, b) => a.start - b.start)
  const found = new Map<WireAttempt, CapturedCall>()
  let next = 0
  for (const call of equal) {
    while ((all[next]?.start ?? Infinity) < call.t - BEFORE) next += 1
    const attempt = all[next]
    if (!attempt || attempt.start > call.t + AFTER) continue
    found.set(attempt, call)
    next += 1
  }
  return attempts.map(attempt => found.get(attempt))
}

/** Path and query of a URL. */
const pathOf = (url: string): string => url.replace(/^[a-z]+:\/\/[^/?]*/i, '')

/** The URL of the backend may include a path. Secrets in a query are replaced by different numbers. */
function isSamePath(called: string, recorded: string): boolean {
  const plain = (path: string) => path.replaceAll(/\[redacted:\d+\]|%5Bredacted%3A\d+%5D/gi, '')
  return plain(called).endsWith(plain(recorded))
}

/** Messages of a socket: those that were captured while it was open. */
export const framesWithin = (
  frames: readonly CapturedFrame[],
  from: number,
  to: number,
): readonly CapturedFrame[] => frames.filter(({ t }) => t >= from && t <= to)

export interface Parameter {
  readonly name: string
  readonly value: string
}

/** Decodes the query of a path. */
export function parametersOf(path: string): readonly Parameter[] {
  const at = path.indexOf('?')
  return at < 0 ? [] : [...new URLSearchParams(path.slice(at + 1))].map(([name, value]) => ({ name, value }))
}

/** Decodes a path without its query. An invalid escape sequence is kept. */
export function decodedPath(path: string): string {
  const [before = ''] = path.split('?', 1)
  try {
    return decodeURIComponent(before)
  } catch {
    return before
  }
}

const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE'])

/** Headers that the browser sets itself. */
const OWN = /^(?:content-length|host|connection|origin|referer|user-agent|accept-encoding)$/

export interface CopiedRequest extends Pick<Wire, 'method' | 'path'> {
  /** Undefined if it was not captured. */
  readonly content: CallContent | undefined
}

/** For POSIX shells, with variables in place of secrets. A body that was not captured is read from a file. */
export function curlOf(request: CopiedRequest): string {
  const text = textToCopy(request.content)
  return curlCommand(
    codeOf(request),
    hasBody(request) ? (text === undefined ? { file: 'body.json' } : { text }) : undefined,
  )
}

/** A call of `fetch`, with variables in place of secrets. */
export function fetchOf(request: CopiedRequest): string {
  const text = textToCopy(request.content)
  return fetchCall(
    codeOf(request),
    hasBody(request) ? (text === undefined ? 'body' : jsString(text)) : undefined,
  )
}

const codeOf = ({ method, path, content }: CopiedRequest): CodeRequest => ({
  method,
  address: path,
  headers: headersToCopy(method, content),
})

const hasBody = ({ method, content }: CopiedRequest): boolean =>
  content ? content.body !== undefined : !WITHOUT_BODY.has(method)

function headersToCopy(method: string, content: CallContent | undefined): readonly CapturedHeader[] {
  if (content) return content.headers.filter(({ name }) => !OWN.test(name))
  const type = { name: 'content-type', value: 'application/json', isMasked: false }
  return [maskedHeader('apikey'), maskedHeader('authorization'), ...(WITHOUT_BODY.has(method) ? [] : [type])]
}

/** Undefined if the body is not known completely. */
const textToCopy = (content: CallContent | undefined): string | undefined =>
  content?.body?.isCut ? undefined : content?.body?.text
