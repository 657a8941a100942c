// Builds and serves a benchmark's page, and opens it in Chromium.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import react from '@vitejs/plugin-react'
import { chromium, type Page } from 'playwright-core'
import { build } from 'vite'
import { findChromium, noChromium } from '../../../scripts/chromium.ts'
import type { Measured } from '../contract.ts'
import type { ConsoleBench } from './page/page.tsx'

declare global {
  interface Window {
    readonly bench: ConsoleBench
  }
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
}
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--enable-precise-memory-info',
]

const CONSOLE_PAGE = join(import.meta.dirname, 'page')

/**
 * Passes `run` a function that opens fresh pages, and cleans up afterwards. `root` contains the page's
 * source.
 */
export async function inPages<T>(
  run: (open: () => Promise<Page>) => Promise<T>,
  root = CONSOLE_PAGE,
): Promise<T> {
  const executablePath = await findChromium()
  if (!executablePath) throw new Error(noChromium)
  const dir = await mkdtemp(join(tmpdir(), 'chartroom-bench-'))
  await build({
    root,
    base: './',
    configFile: false,
    logLevel: 'silent',
    plugins: [react()],
    worker: { format: 'es' },
    build: { outDir: dir, emptyOutDir: true, target: 'es2023', cssCodeSplit: false },
  })
  const server = createServer((request, response) => {
    const name = normalize(new URL(request.url ?? '/', 'http://bench').pathname)
    const path = join(dir, name === '/' ? 'index.html' : name)
    readFile(path).then(
      bytes => response.setHeader('content-type', TYPES[extname(path)] ?? 'text/plain').end(bytes),
      () => response.writeHead(404).end(),
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const browser = await chromium.launch({ executablePath, args: FLAGS })
  const { port } = server.address() as AddressInfo
  try {
    return await run(async () => {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
      await page.goto(`http://127.0.0.1:${port}/`)
      await page.waitForFunction('window.bench !== undefined')
      return page
    })
  } finally {
    await browser.close()
    server.close()
    await rm(dir, { recursive: true, force: true })
  }
}

/** Samples ours and the peer alternately, each in a separate page. */
export async function sampled(
  samples: number,
  open: () => Promise<Page>,
  ours: (page: Page) => Promise<number>,
  peer: (page: Page) => Promise<number>,
): Promise<Measured> {
  const measured = { ours: [] as number[], peer: [] as number[] }
  for (let at = 0; at < samples; at++) {
    for (const [list, measure] of [[measured.peer, peer] as const, [measured.ours, ours] as const]) {
      const page = await open()
      list.push(await measure(page))
      await page.close()
    }
  }
  return measured
}
