// Serves the built app and the description of its backend, for every path that is not the backend's own.
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { policyBeside, SITE_HEADERS } from './deploy/policy.ts'

/** What the app asks for at `/_chartroom/config`. */
export interface SiteConfig {
  readonly name: string
  readonly url: string
  /** Publishable key. */
  readonly key: string
  readonly accounts: readonly { readonly email: string; readonly password: string }[]
}

export type Site = (request: Request) => Response | Promise<Response>

/**
 * A request handler over the folder of a built app. Pages that are no file get index.html, since the app
 * routes in the browser; missing assets stay missing.
 */
export function createSite(dir: string, config: () => Promise<SiteConfig>): Site {
  const site = new Hono()
  site.use(async (context, next) => {
    await next()
    for (const [name, value] of Object.entries(SITE_HEADERS)) context.header(name, value)
    context.header('Content-Security-Policy', policyBeside(new URL(context.req.url).origin))
    if (context.res.status < 400) context.header('Cache-Control', cachingOf(context.req.path))
  })
  site.get('/_chartroom/config', async context => context.json(await config()))
  site.get('/assets/*', serveStatic({ root: dir }), context => context.notFound())
  site.use(etag())
  site.get('*', serveStatic({ root: dir }))
  site.get(
    '*',
    async (context, next) => {
      if (!context.req.header('Accept')?.includes('text/html')) return context.notFound()
      return next()
    },
    serveStatic({ path: join(dir, 'index.html') }),
  )
  // Hono's own handler prints the stack.
  site.onError(() => new Response('The app could not be served.', { status: 500 }))
  return request => site.fetch(request)
}

/** Vite names assets by their content, so what was once fetched never has to be asked for again. */
function cachingOf(path: string): string {
  if (path.startsWith('/assets/')) return 'public, max-age=31536000, immutable'
  return path.startsWith('/_chartroom/') ? 'no-store' : 'no-cache'
}
