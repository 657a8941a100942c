// Runs command-line tools of the project's dependencies with the Node that runs this script.
import { spawn } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of package.json, with a trailing separator. */
export const root = fileURLToPath(new URL('..', import.meta.url))

export interface Outcome {
  readonly code: number
  /** The tool's output; empty if it went straight to the terminal. */
  readonly output: string
}

export interface RunOptions {
  /** `inherit` streams the output to the terminal. */
  readonly output?: 'collect' | 'inherit'
  readonly signal?: AbortSignal
  /** Where it runs; defaults to the project's folder. */
  readonly cwd?: string
  /** Environment variables that override those of this process. */
  readonly env?: Readonly<Record<string, string>>
}

/** Runs a tool from node_modules/.bin, or else from the PATH, in the project's folder. Never rejects. */
export function runTool(name: string, args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const path = [join(root, 'node_modules/.bin'), dirname(process.execPath), process.env['PATH']].join(
    delimiter,
  )
  const collect = options.output !== 'inherit'
  return new Promise(resolve => {
    const child = spawn(name, args, {
      cwd: options.cwd ?? root,
      // npm and Vite leave a cache in the temporary folder.
      env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1', ...options.env, PATH: path },
      stdio: ['ignore', collect ? 'pipe' : 'inherit', collect ? 'pipe' : 'inherit'],
      ...(options.signal ? { signal: options.signal } : {}),
    })
    const chunks: Buffer[] = []
    const keep = (chunk: Buffer) => void chunks.push(chunk)
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    const output = () => Buffer.concat(chunks).toString()
    child.on('error', error => resolve({ code: 127, output: `${output()}${error.message}\n` }))
    child.on('close', code => resolve({ code: code ?? 1, output: output() }))
  })
}
