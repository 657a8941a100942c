// The product as a user starts it: `npm start` as a separate process, which can also be frozen.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { productAt } from '../../tests/browser/states/product.ts'
import type { Product } from '../../tests/browser/states/state.ts'
import { NODE_FLAGS } from '../node-flags.ts'
import { signIn } from '../screenshots/harbour.ts'
import { root } from '../tool.ts'

export interface ProductProcess extends Product {
  readonly pid: number
  /** Milliseconds on the clock of `performance` when the process was started. */
  readonly startedAt: number
  stop(): Promise<void>
}

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/

export interface ProductOptions {
  /** A data folder; without one, data is in memory. */
  readonly dir?: string
  /** If it is taken, the next free one is used. */
  readonly port?: number
}

/** @throws Error with its output if it does not start */
export async function startProduct({ dir, port = 4600 }: ProductOptions = {}): Promise<ProductProcess> {
  const startedAt = performance.now()
  const data = dir === undefined ? ['--memory'] : ['--data', dir]
  const script = join(root, 'scripts/start.ts')
  const args = [...NODE_FLAGS, script, ...data, '--port', String(port)]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'exit')
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const [address] = ADDRESS.exec(output) ?? []
      if (address !== undefined) resolve(address)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void ended.then(() => reject(new Error(`The product did not start:\n${output}`)))
  })
  const product = await productAt(url, async (page, origin, account, path) => {
    await signIn(page, origin, account)
    if (path !== undefined) await page.goto(`${origin}${path}`)
  })
  return {
    ...product,
    pid: child.pid ?? 0,
    startedAt,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async stop() {
      child.kill('SIGCONT')
      child.kill('SIGTERM')
      await ended
    },
  }
}
