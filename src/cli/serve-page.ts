// Serves the console's page and its assets.
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, normalize, sep } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
}

/** The page loads nothing from other hosts, and only pages of this machine may frame it. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; worker-src 'self' blob:; " +
  "connect-src 'self' ws://localhost:* ws://127.0.0.1:*; frame-ancestors http://localhost:* http://127.0.0.1:*; base-uri 'none'; form-action 'none'"

/** Serves `console.html` for `/`, and the files next to it. */
export function createPage(folder: string) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const file = fileOf(request.url ?? '/', folder)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const bytes = file !== undefined && isRead ? await readFile(file).catch(() => undefined) : undefined
    response.setHeader('X-Content-Type-Options', 'nosniff')
    response.setHeader('Referrer-Policy', 'no-referrer')
    if (!bytes || file === undefined) {
      response.writeHead(isRead ? 404 : 405, { 'Content-Type': 'text/plain' }).end('Not found.\n')
      return
    }
    response.writeHead(200, {
      'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': POLICY,
    })
    response.end(request.method === 'HEAD' ? undefined : bytes)
  }
}

/** `undefined` for paths outside the folder. */
function fileOf(url: string, folder: string): string | undefined {
  const [path = '/'] = url.split(/[?#]/)
  let name: string
  try {
    name = normalize(decodeURIComponent(path))
  } catch {
    return undefined
  }
  if (name.includes('\0') || name.split(sep).includes('..')) return undefined
  return join(folder, name === sep ? 'console.html' : name)
}
