// How much JavaScript a built page loads from the start: its entry and all that it imports at once, packed.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** Largest number of bytes that the page may load before it can be used. */
export const BUDGET = 200_000

export interface InitialSize {
  readonly bytes: number
  /** By what the page asks for, below the built folder. */
  readonly files: readonly string[]
}

const SCRIPTS = /<script[^>]*\bsrc="([^"]+\.js)"|<link[^>]*\brel="modulepreload"[^>]*\bhref="([^"]+\.js)"/g
/** `import … from "./x.js"` and `import "./x.js"`, but not `import("./x.js")`. */
const IMPORTS = /(?:\bfrom|\bimport)\s*["'](\.[^"']+\.js)["']/g

/** Of a page in a built folder; chunks travel one by one and are packed so. */
export async function initialSize(dir: string, page = 'index.html'): Promise<InitialSize> {
  const html = await readFile(join(dir, page), 'utf8')
  const waiting = [...html.matchAll(SCRIPTS)].map(found => assetOf(found[1] ?? found[2] ?? ''))
  const seen = new Map<string, number>()
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue
    const code = await readFile(join(dir, file), 'utf8')
    seen.set(file, gzipSync(code, { level: 9 }).length)
    waiting.push(...[...code.matchAll(IMPORTS)].map(([, name]) => assetOf(name ?? '')))
  }
  return { bytes: [...seen.values()].reduce((sum, size) => sum + size, 0), files: [...seen.keys()].sort() }
}

/** All chunks lie in one folder, wherever the site itself is. */
const assetOf = (path: string) => `assets/${path.split('/').at(-1) ?? ''}`
