// `npm run docs:site`: builds the documentation site as static files, serves them, or serves the sources to authors.
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'
import { build, createServer } from 'vitepress'
import { nextStopSignal } from '../backend/shared/stop-signal.ts'
import manifest from '../package.json' with { type: 'json' }
import { reference } from './site/.vitepress/reference.ts'
import { deadLinks } from './site/build/anchors.ts'
import { markdownPages, writeMarkdown } from './site/build/markdown-pages.ts'
import { makePublicFiles } from './site/build/public-files.ts'
import { runScript } from '../scripts/run-script.ts'
import { root } from '../scripts/tool.ts'

const USAGE = `Usage: npm run docs:site [-- flags]

  --base PATH   Path of the site on its host, e.g. /chartroom/ (default /)
  --out DIR     Output folder (default dist-site)
  --serve       Serve the built files on 127.0.0.1 until Ctrl-C
  --dev         Serve the sources instead, with changes as they are saved
  --port N      Port for --serve and --dev (default 4430)

Any static host can serve the files: the pages, each as Markdown next to its HTML, and llms.txt, which lists them for
agents. A link that leads nowhere is an error.`

const SITE = join(root, 'evidence/site')

await runScript(USAGE, read, main)

async function main({
  base,
  out,
  port,
  ...flags
}: Exclude<ReturnType<typeof read>, string>): Promise<number> {
  await makePublicFiles()
  if (flags.dev) return serveSources(base, port)
  const folder = resolve(root, out)
  await build(SITE, { base, outDir: folder })
  await writeMarkdown(folder, manifest.description, markdownPages(root, reference))
  const dead = await deadLinks(folder, base)
  for (const link of dead) console.error(`Dead link in ${link}`)
  if (dead.length > 0) return 1
  console.log(`Built to ${relative(process.cwd(), folder) || '.'} with base path ${base}`)
  if (flags.serve) await serveFiles(folder, base, port)
  return 0
}

async function serveSources(base: string, port: number): Promise<number> {
  const server = await createServer(SITE, { base, port, host: '127.0.0.1', strictPort: false })
  await server.listen()
  server.printUrls()
  await nextStopSignal()
  await server.close()
  return 0
}

async function serveFiles(folder: string, base: string, port: number): Promise<void> {
  const site = new Hono()
  site.get(
    `${base}*`,
    serveStatic({ root: folder, rewriteRequestPath: path => `/${path.slice(base.length)}` }),
  )
  const server = serve({ fetch: site.fetch, hostname: '127.0.0.1', port })
  console.log(`Address   http://127.0.0.1:${port}${base}\nStop      Ctrl-C`)
  await nextStopSignal()
  server.close()
}

/** A function declaration, because it is used above. */
function read() {
  const { values } = parseArgs({
    options: {
      base: { type: 'string', default: '/' },
      out: { type: 'string', default: 'dist-site' },
      port: { type: 'string', default: '4430' },
      serve: { type: 'boolean', default: false },
      dev: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const port = Number(values.port)
  if (!/^\/([\w.~-]+\/)*$/.test(values.base)) return `--base must start and end with a slash: ${values.base}`
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return `--port must be a port: ${values.port}`
  if (values.serve && values.dev) return '--serve and --dev exclude each other.'
  return { ...values, port }
}
