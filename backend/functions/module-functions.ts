// Functions as modules of this process: the demo's, and those of `functionsDir`. Each `<name>.ts` turns a request into a response.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gatewayError, json } from '../shared/errors.ts'
import { fieldOf } from '../shared/fields.ts'
import { bearerOf, type Claims, type Tokens } from '../keys/index.ts'
import type { Secrets } from '../shared/data-directory.ts'

/** The second argument of a function. */
export interface FunctionContext {
  readonly url: string
  readonly publishableKey: string
  readonly secretKey: string
  /** The caller's claims. */
  readonly claims: Claims
  /** Aborted when the function times out. */
  readonly signal: AbortSignal
}

/** The default export of a function's module. */
export type EdgeFunction = (request: Request, context: FunctionContext) => Response | Promise<Response>

export interface FunctionsOptions {
  readonly tokens: Tokens
  readonly secrets: Pick<Secrets, 'publishableKey' | 'secretKey'>
  readonly url: string
  /** Folder of the modules; without it there are no functions. */
  readonly folder: string | undefined
  readonly timeoutMs?: number
}

/** The demo's functions. */
export const DEMO_FUNCTIONS = join(import.meta.dirname, '..', 'demo', 'functions')
const TIMEOUT_MS = 30_000

/** Handles everything under `/functions/v1`; the API key is already checked. */
export function createFunctions(options: FunctionsOptions): (request: Request) => Promise<Response> {
  const { folder } = options
  return async request => {
    const name = /^\/functions\/v1\/([A-Za-z0-9][\w-]*)(\/|$)/.exec(new URL(request.url).pathname)?.[1]
    const file = name === undefined || folder === undefined ? undefined : moduleOf(folder, name)
    if (file === undefined) {
      return json(404, { code: 'NOT_FOUND', message: 'Requested function was not found' })
    }
    const caller = await options.tokens.identify(
      request.headers.get('apikey') ?? undefined,
      bearerOf(request.headers),
    )
    if ('refusal' in caller) return gatewayError(401, 'Invalid JWT')
    return run(file, request, caller.claims, options)
  }
}

/** In the package, the demo's functions are compiled. */
const moduleOf = (folder: string, name: string) =>
  [join(folder, `${name}.ts`), join(folder, `${name}.js`)].find(file => existsSync(file))

async function run(
  file: string,
  request: Request,
  claims: Claims,
  options: FunctionsOptions,
): Promise<Response> {
  const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS)
  const timeout = Promise.withResolvers<Response>()
  signal.addEventListener('abort', () =>
    timeout.resolve(relayError(504, 'WORKER_LIMIT', 'The function took too long')),
  )
  const { publishableKey, secretKey } = options.secrets
  const work = load(file).then(handle =>
    handle(request, { url: options.url, publishableKey, secretKey, claims, signal }),
  )
  const answer = work.then(
    response =>
      response instanceof Response
        ? shielded(response)
        : relayError(500, 'WORKER_ERROR', 'The function did not return a Response'),
    () => relayError(500, 'WORKER_ERROR', 'The function failed'),
  )
  return Promise.race([answer, timeout.promise])
}

/**
 * Functions are served on the app's own origin: if a function's page is opened, it must not run scripts there
 * unless the function allows it. Requests made by scripts are not affected.
 */
function shielded(response: Response): Response {
  const headers = new Headers(response.headers)
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', 'sandbox')
  if (!headers.has('x-content-type-options')) headers.set('x-content-type-options', 'nosniff')
  const { body, status, statusText } = response
  return new Response(body, { status, statusText, headers })
}

async function load(file: string): Promise<EdgeFunction> {
  const module: unknown = await import(pathToFileURL(file).href)
  const handle = fieldOf(module, 'default')
  if (!isFunction(handle)) throw new TypeError('The default export of the module is not a function')
  return handle
}

function isFunction(value: unknown): value is EdgeFunction {
  return typeof value === 'function'
}

/** An error of the gateway rather than of the function, which the official client distinguishes. */
function relayError(status: number, code: string, message: string): Response {
  return json(status, { code, message }, { 'x-relay-error': 'true' })
}
