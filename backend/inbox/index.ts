// Routes of the test inbox: a page for browsers, JSON for programs.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { gatewayError } from '../shared/errors.ts'
import type { Clock } from '../shared/clock.ts'
import { inboxPage } from './page.ts'
import { PAGE_SCRIPT } from './page-script.ts'
import { PAGE_COLORS } from '../shared/page-colors.ts'
import type { Inbox } from './store.ts'
import { waitForChange } from './wait.ts'

export { type Inbox, type MailDraft, type MailType, createInbox } from './store.ts'

export interface InboxDependencies {
  readonly inbox: Inbox
  readonly clock: Clock
  /** Aborted when the backend stops, so that waiting requests end. */
  readonly stopping: AbortSignal
}

const PATH = '/_chartroom/inbox'
const STYLES = ['base', 'frame', 'mails']
const HEADERS = {
  'Cache-Control': 'no-store',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}

/** Handles all requests below `/_chartroom/inbox`. */
export function createInboxRoutes(dependencies: InboxDependencies): (request: Request) => Promise<Response> {
  const { inbox, clock } = dependencies
  const styles = STYLES.map(name => readFileSync(join(import.meta.dirname, 'style', `${name}.css`), 'utf8'))
  const style = [PAGE_COLORS, ...styles].join('\n')
  const app = new Hono()
  app.use(async (context, next) => {
    await next()
    for (const [name, value] of Object.entries(HEADERS)) context.header(name, value)
  })
  app.get(PATH, async context => {
    if (!wantsPage(context.req.raw)) return answerJson(dependencies, context.req.raw)
    const messageId = context.req.query('message') ?? null
    const state = { mails: inbox.messages(), revision: inbox.revision, messageId, now: clock.now() }
    return context.html(inboxPage(state))
  })
  app.get(`${PATH}.json`, context => answerJson(dependencies, context.req.raw))
  app.get(`${PATH}.css`, context => context.body(style, 200, { 'Content-Type': 'text/css; charset=utf-8' }))
  app.get(`${PATH}.js`, context =>
    context.body(PAGE_SCRIPT, 200, { 'Content-Type': 'text/javascript; charset=utf-8' }),
  )
  for (const path of [PATH, `${PATH}.json`]) {
    app.delete(path, context => {
      inbox.clear()
      return context.body(null, 204)
    })
    app.all(path, () => gatewayError(405, 'Method Not Allowed'))
  }
  app.notFound(() => gatewayError(404, 'Not Found'))
  return async request => app.fetch(request)
}

/** Browsers accept HTML and get the page; other clients get JSON. */
function wantsPage(request: Request): boolean {
  return request.headers.get('accept')?.includes('text/html') ?? false
}

async function answerJson({ inbox, stopping }: InboxDependencies, request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  const to = searchParams.get('to') ?? undefined
  const since = searchParams.get('since')
  const hasNews = () => (since === null ? inbox.messages(to).length > 0 : String(inbox.revision) !== since)
  const disconnected = AbortSignal.any([request.signal, stopping])
  await waitForChange(inbox, hasNews, Number(searchParams.get('wait') ?? 0), disconnected)
  // A connection that stays open for another request would delay the stop.
  const headers = stopping.aborted ? { connection: 'close' } : {}
  return Response.json({ revision: inbox.revision, messages: inbox.messages(to) }, { headers })
}
