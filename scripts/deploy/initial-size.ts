// How much JavaScript a built page loads at once, and until one can sign in: files with all that they import, packed.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** Largest number of bytes that the page may ask for at once. */
export const BUDGET = 200_000
/** Largest number of bytes that may come until the form to sign in can be used. */
export const SIGN_IN_BUDGET = 220_000

export interface InitialSize {
  readonly bytes: number
  /** By what the page asks for, below the built folder. */
  readonly files: readonly string[]
}

const SCRIPTS = /<script[^>]*\bsrc="([^"]+\.js)"|<link[^>]*\brel="modulepreload"[^>]*\bhref="([^"]+\.js)"/g
/** `import … from "./x.js"` and `import "./x.js"`, but not `import("./x.js")`. */
const IMPORTS = /(?:\bfrom|\bimport)\s*["'](\.[^"']+\.js)["']/g

/** What the app asks for by itself where nobody is signed in. */
const UNTIL_SIGN_IN = /^(?:connected|auth-page)-[\w-]+\.js$/

/** Of a page in a built folder; chunks travel one by one and are packed so. */
export async function initialSize(dir: string, page = 'index.html'): Promise<InitialSize> {
  const html = await readFile(join(dir, page), 'utf8')
  return sizeOf(
    dir,
    [...html.matchAll(SCRIPTS)].map(found => assetOf(found[1] ?? found[2] ?? '')),
  )
}

/** The same, with all that comes until somebody can sign in. */
export async function signInSize(dir: string): Promise<InitialSize> {
  const { files } = await initialSize(dir)
  const later = (await readdir(join(dir, 'assets'))).filter(name => UNTIL_SIGN_IN.test(name))
  return sizeOf(dir, [...files, ...later.map(assetOf)])
}

async function sizeOf(dir: string, from: readonly string[]): Promise<InitialSize> {
  const waiting = [...from]
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
