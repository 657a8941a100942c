// Servers that run beside a test: an installed backend, and an example's own.
import { spawn } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { lastLine, type Managers } from '../matrix/installers.ts'

export interface Server {
  /** Everything that it has printed. */
  text(): string
  stop(): Promise<void>
}

export interface ServerOptions {
  readonly folder: string
  readonly program: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/**
 * Starts a program and waits until `isReady`.
 * @throws Error with its output if it ends before, or is not ready after two minutes
 */
export async function startServer(
  { folder, program, args, env = {} }: ServerOptions,
  isReady: (text: string) => boolean | Promise<boolean>,
): Promise<Server> {
  const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter)
  const child = spawn(program, [...args], {
    cwd: folder,
    env: { ...process.env, ...env, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
    // With its own process group, so that what npm starts ends with npm.
    detached: true,
  })
  let text = ''
  let hasEnded = false
  const keep = (chunk: Buffer) => void (text += chunk.toString())
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  child.on('error', error => keep(Buffer.from(`${error.message}\n`)))
  const ended = new Promise<void>(resolve => {
    child.on('close', () => {
      hasEnded = true
      resolve()
    })
  })
  const stop = async () => {
    if (!hasEnded && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
    await ended
  }
  for (let tries = 0; !(await isReady(text)); tries++) {
    if (hasEnded) throw new Error(`${program} ended: ${lastLine(text)}`)
    if (tries > 480) {
      await stop()
      throw new Error(`${program} is not ready after two minutes: ${lastLine(text)}`)
    }
    await new Promise(resolve => setTimeout(resolve, 250))
  }
  return { text: () => text, stop }
}

export interface InstalledBackend extends Server {
  readonly url: string
  readonly publishableKey: string
}

/** Installs the backend's package in a new folder, and starts its command with a project. */
export async function startInstalledBackend(
  managers: Managers,
  install: (folder: string) => Promise<void>,
  folder: string,
  project: string,
): Promise<InstalledBackend> {
  await install(folder)
  const problem = await managers.install('npm', folder)
  if (problem !== undefined) throw new Error(`@chartroom/backend was not installed: ${problem}`)
  const program = join(folder, 'node_modules/.bin/chartroom-backend')
  const args = ['--project', project, '--port', '0', '--json']
  const server = await startServer({ folder, program, args }, text => /^\{.*\}$/m.test(text))
  const [line = '{}'] = /^\{.*\}$/m.exec(server.text()) ?? []
  const { url, publishableKey } = JSON.parse(line) as Pick<InstalledBackend, 'url' | 'publishableKey'>
  return { ...server, url, publishableKey }
}
