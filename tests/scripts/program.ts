// Runs one of the project's programs as a child process and waits for its output.
import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export class Program {
  output = ''
  readonly ended: Promise<Ended>
  readonly #child: ChildProcess
  #onOutput: () => void = () => undefined

  constructor(script: string, args: readonly string[]) {
    // It only lives for seconds: V8 optimizing PostgreSQL would be a third of its work.
    const flags = ['--liftoff-only', script, ...args]
    this.#child = spawn(process.execPath, flags, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    const keep = (chunk: Buffer) => {
      this.output += chunk.toString()
      this.#onOutput()
    }
    this.#child.stdout?.on('data', keep)
    this.#child.stderr?.on('data', keep)
    this.ended = new Promise(resolve => this.#child.on('close', (code, signal) => resolve({ code, signal })))
  }

  /** Resolves with the first match of the pattern in the output; fails if the program ends without it. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    const match = new Promise<RegExpExecArray>(resolve => {
      this.#onOutput = () => {
        const found = pattern.exec(this.output)
        if (found) resolve(found)
      }
      this.#onOutput()
    })
    const silent = this.ended.then(() => {
      throw new Error(`The program ended without printing ${String(pattern)}:\n${this.output}`)
    })
    return Promise.race([match, silent])
  }

  signal(name: NodeJS.Signals): Promise<Ended> {
    this.#child.kill(name)
    return this.ended
  }
}
