// The development server's side of the link between agents and the pages of an app: an endpoint on this machine with a
// token, which passes questions to the pages over Vite's own channel.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { ViteDevServer } from 'vite'
import { AGENT_ANSWER, AGENT_ASK, type AgentAnswer } from './agent-messages.ts'

/** Path of the endpoint, below the base of the app. */
const PATH = '@chartroom/agent'
const HOSTS = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/
const MOST_BYTES = 2 ** 20
/** Pages that do not answer a list are not there, in milliseconds. */
const LIST_TIME = 300
const ANSWER_TIME = 20_000

type Question = Readonly<Record<string, unknown>>

/** Answers agents until the server closes. Its address is in `node_modules/.chartroom`, which only the user may read. */
export function serveAgents(
  server: Pick<ViteDevServer, 'config' | 'httpServer' | 'middlewares' | 'ws'>,
): void {
  const { config, httpServer, middlewares, ws } = server
  const token = randomBytes(24).toString('base64url')
  const waiting = new Map<number, (answer: AgentAnswer) => void>()
  let count = 0
  ws.on(AGENT_ANSWER, (answer: AgentAnswer) => waiting.get(answer.ask)?.(answer))

  /** The lists of all pages that answer in time, or the answer of one page. */
  const ask = (question: Question): Promise<unknown> => {
    const number = (count += 1)
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const listed: unknown[] = []
    const isList = question['do'] === 'list'
    const end = () =>
      isList ? resolve(listed) : reject(new Error('The page did not answer. Is it still open?'))
    const timer = setTimeout(end, isList ? LIST_TIME : ANSWER_TIME)
    waiting.set(number, ({ result, failure }) => {
      if (isList) return void (Array.isArray(result) && listed.push(...(result as unknown[])))
      if (failure === undefined) resolve(result)
      else reject(new Error(failure))
    })
    ws.send(AGENT_ASK, { ...question, ask: number })
    return promise.finally(() => {
      clearTimeout(timer)
      waiting.delete(number)
    })
  }
  middlewares.use((request, response, next) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    if (path !== config.base + PATH) return next()
    answer(request, token, ask).then(
      ([status, body]) => send(response, status, body),
      () => send(response, 400, { failure: 'The question could not be read.' }),
    )
  })
  httpServer?.once('listening', () => {
    const address = httpServer.address()
    if (typeof address !== 'object' || address === null) return
    const folder = join(config.root, 'node_modules/.chartroom')
    const file = join(folder, `vite-${process.pid}.json`)
    const url = `http://localhost:${address.port}${config.base}${PATH}`
    try {
      mkdirSync(folder, { recursive: true })
      writeFileSync(file, JSON.stringify({ pid: process.pid, url, token }), { mode: 0o600 })
      httpServer.once('close', () => rmSync(file, { force: true }))
    } catch {
      config.logger.warn(`Agents cannot find this server: ${folder} can't be written.`)
    }
  })
}

async function answer(
  request: IncomingMessage,
  token: string,
  ask: (question: Question) => Promise<unknown>,
): Promise<[status: number, body: object]> {
  const { host = '', origin, authorization = '' } = request.headers
  // Pages are never agents: a browser names their origin.
  if (request.method !== 'POST' || origin !== undefined || !HOSTS.test(host))
    return [403, { failure: 'Only agents of this machine may ask.' }]
  const [given, wanted] = [Buffer.from(authorization), Buffer.from(`Bearer ${token}`)]
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    return [401, { failure: 'The token is wrong.' }]
  let text = ''
  for await (const part of request) {
    text += String(part)
    if (text.length > MOST_BYTES) return [413, { failure: 'The question is too long.' }]
  }
  const question: unknown = JSON.parse(text)
  if (typeof question !== 'object' || question === null)
    return [400, { failure: 'The question is no object.' }]
  try {
    return [200, { result: await ask(question as Question) }]
  } catch (error) {
    return [200, { failure: error instanceof Error ? error.message : String(error) }]
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}
