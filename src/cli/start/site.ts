// Serves the built app and its backend configuration for every path that the backend does not handle.
import { join } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { etag } from 'hono/etag'
import { policyBeside, SITE_HEADERS } from './site-policy.ts'

/** The response of `/_chartroom/config`. */
export interface SiteConfig {
  readonly name: string
  readonly url: string
  /** Publishable key. */
  readonly key: string
  readonly accounts: readonly { readonly email: string; readonly password: string }[]
  /** Path of the description of its tables, which the backend serves. */
  readonly schema?: string
  /** Path of the state of the project whose files it follows. */
  readonly project?: string
}

export type Site = (request: Request) => Response | Promise<Response>

/**
 * Creates a request handler for the folder of a built app. Paths that are not a file get index.html, since
 * the app routes in the browser; missing assets return 404.
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
  // Hono's default handler prints the stack.
  site.onError(() => new Response('Failed to serve the app.', { status: 500 }))
  return request => site.fetch(request)
}

/** Vite names assets by their content hash, so they can be cached forever. */
function cachingOf(path: string): string {
  if (path.startsWith('/assets/')) return 'public, max-age=31536000, immutable'
  return path.startsWith('/_chartroom/') ? 'no-store' : 'no-cache'
}
