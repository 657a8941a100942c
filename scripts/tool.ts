// Runs the command-line tools of the project's dependencies under the Node that runs this script.
import { spawn } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of package.json, with a separator at its end. */
export const root = fileURLToPath(new URL('..', import.meta.url))

export interface Outcome {
  readonly code: number
  /** What it wrote; empty when it wrote straight to the terminal. */
  readonly output: string
}

export interface RunOptions {
  /** `inherit` shows the output as it comes. */
  readonly output?: 'collect' | 'inherit'
  readonly signal?: AbortSignal
  /** Variables that differ from those of this process. */
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
      cwd: root,
      env: { ...process.env, ...options.env, PATH: path },
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
