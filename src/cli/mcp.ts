// `chartroom mcp`: tools for agents over the Model Context Protocol.
import { randomBytes } from 'node:crypto'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { defineCommand, type ExitCode, UsageError, wholeNumber } from './command.ts'
import { MACHINES_FLAG } from './machines-file.ts'
import { joinApps } from './mcp/live.ts'
import { serveHttp } from './mcp/http.ts'
import { createServer, type ServerSettings } from './mcp/server.ts'
import { Roots } from './mcp/roots.ts'
import { serveApps } from './mcp/serve-apps.ts'
import { Session } from './mcp/session.ts'
import { viteApps } from './mcp/vite-apps.ts'
import { printError } from './print.ts'
import { packageVersion } from './version.ts'

/** The environment variable with the token of `--http`: a flag would be visible to other users of the machine. */
const TOKEN = 'CHARTROOM_MCP_TOKEN'

export const mcpCommand = defineCommand({
  usage: 'mcp [flags]',
  text: `Serves tools for agents over the Model Context Protocol on standard input and output, or with --http on this
machine: recordings, machines with source positions, explanations, replays, minimizing and tests (docs/guide/agents.md).
It reads below the working directory and each --root only, and writes nothing but tests that are asked for.

Exit code: 0 the client disconnected, 1 the server could not start, 2 invalid arguments.`,
  flags: {
    root: {
      type: 'string',
      value: 'DIR',
      isRepeatable: true,
      about: 'Also use recordings and machines below this folder; repeatable',
    },
    http: {
      type: 'boolean',
      about: `Serve HTTP on 127.0.0.1, with a token: that of ${TOKEN}, else a new one`,
    },
    port: { type: 'string', value: 'N', about: 'Port for --http; default: a free one' },
    'allow-control': {
      type: 'boolean',
      about: 'Add tools that send events to running apps, pause them, inject faults and change their clock',
    },
    reports: {
      type: 'string',
      value: 'URL',
      about: 'Project with the reports; default: SUPABASE_URL. SUPABASE_SECRET_KEY has its secret key',
    },
    serve: {
      type: 'string',
      value: 'URL',
      about: 'A running `chartroom serve`, for its apps; default: http://localhost:8080',
    },
    ...MACHINES_FLAG,
  },
  takes: [0, 0, 'name'],
  fails: 1,
  async run({ values }): Promise<ExitCode> {
    if (values.serve !== undefined && !isLoopback(values.serve))
      throw new UsageError('--serve must be a URL of this machine, such as http://localhost:8080.')
    const folders = [process.cwd(), ...values.root]
    const live = joinApps([viteApps(new Roots(folders)), serveApps(values.serve)])
    const settings: ServerSettings = {
      session: new Session({
        roots: folders,
        machines: values.machines,
        reports: values.reports,
        live,
      }),
      version: packageVersion(),
      allowsControl: values['allow-control'],
    }
    const port = values.port === undefined ? 0 : wholeNumber('--port', values.port, 0, 65_535)
    await (values.http ? overHttp(settings, port) : overStdio(settings))
    live.close()
    return 0
  },
})

const isLoopback = (url: string): boolean =>
  URL.canParse(url) &&
  /^http:$/.test(new URL(url).protocol) &&
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname)

/** Ends when the client closes standard input. */
async function overStdio(settings: ServerSettings): Promise<void> {
  const closed = new Promise(resolve => void process.stdin.once('close', resolve).once('end', resolve))
  const handle = serveStdio(() => createServer(settings))
  await Promise.race([closed, nextSignal()])
  await handle.close()
}

async function overHttp(settings: ServerSettings, port: number): Promise<void> {
  const stopped = nextSignal()
  const token = process.env[TOKEN] ?? randomBytes(24).toString('base64url')
  const server = await serveHttp({ port, token, create: () => createServer(settings) })
  const isNew = process.env[TOKEN] === undefined
  printError(`MCP    http://127.0.0.1:${server.port}/mcp\n${isNew ? `Token  ${token}\n` : ''}Stop   Ctrl-C\n`)
  await stopped
  await server.stop()
}

function nextSignal(): Promise<void> {
  return new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
}
