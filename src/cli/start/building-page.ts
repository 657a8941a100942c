// What a browser gets while the app is being built: a page that asks again each second.
import { SITE_HEADERS } from './site-policy.ts'

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="color-scheme" content="light dark" />
    <meta http-equiv="refresh" content="1" />
    <title>Building… · Chartroom</title>
  </head>
  <body>
    <main>
      <h1>Building the app…</h1>
      <p>The backend runs already. This page opens the app once it is built.</p>
    </main>
  </body>
</html>
`

/** Whether a browser asks for a page, and not for data or a part of one. */
export const isForPage = (request: Request): boolean =>
  request.method === 'GET' && request.headers.get('Accept')?.includes('text/html') === true

export const buildingPage = (): Response =>
  new Response(PAGE, {
    status: 503,
    headers: {
      ...SITE_HEADERS,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'",
      'Cache-Control': 'no-store',
      'Retry-After': '1',
    },
  })
