// `chartroom serve`: serves the console as a local page, for any app that uses Stately's inspect protocol.
import { spawn } from 'node:child_process'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineCommand, type ExitCode, UsageError, wholeNumber } from './command.ts'
import { startServer, type InspectorServer, type ServerOptions } from './serve-server.ts'
import { print, printError } from './print.ts'

/** The default port of @statelyai/inspect. */
const PORT = 8080

export const serveCommand = defineCommand({
  usage: 'serve [flags]',
  text: `Serves the console on this machine, and listens on 127.0.0.1 for XState apps that connect with @statelyai/inspect: createWebSocketInspector() in Node, createBrowserInspector({ url }) in a page. Nothing leaves the machine. Press Ctrl-C to stop.

Exit code: 0 stopped, 1 the server could not start, 2 invalid arguments.`,
  flags: {
    port: { type: 'string', value: 'N', about: `Port; default: ${PORT}; 0 picks a free one` },
    open: { type: 'boolean', about: 'Open the page in the browser' },
    'allow-origin': {
      type: 'string',
      value: 'ORIGIN',
      about: 'Also accept events from pages of this origin, not only of this machine',
      isRepeatable: true,
    },
  },
  takes: [0, 0, 'name'],
  fails: 1,
  async run({ values }) {
    const port = values.port === undefined ? PORT : wholeNumber('--port', values.port, 0, 65_535)
    return serve(
      { port, allowed: values['allow-origin'].map(originOf), page: await pageFolder() },
      values.open,
    )
  },
})

async function serve(options: ServerOptions, opens: boolean): Promise<ExitCode> {
  const stopSignal = nextSignal()
  const server = await startServer(options).catch((error: unknown) => {
    throw new Error(explained(error, options.port), { cause: error })
  })
  const url = `http://localhost:${server.port}`
  print(described(url, server))
  if (opens) openBrowser(url)
  await stopSignal
  await server.stop()
  return 0
}

function described(url: string, { port }: InspectorServer): string {
  const socket = `ws://localhost:${port}`
  return [
    `Console    ${url}`,
    `In Node    createWebSocketInspector(${port === PORT ? '' : `{ url: '${socket}' }`})`,
    `In a page  createBrowserInspector({ url: '${url}' })`,
    'Stop       Ctrl-C',
    '',
  ].join('\n')
}

function explained(error: unknown, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return `Port ${port} is in use, perhaps by another inspector. Choose one with --port, or --port 0 for any.`
  if (code === 'EACCES') return `No permission to use port ${port}. Choose one above 1023 with --port.`
  return error instanceof Error ? error.message : String(error)
}

function originOf(text: string): string {
  const origin = URL.canParse(text) ? new URL(text).origin : 'null'
  if (origin !== 'null') return origin
  throw new UsageError(`--allow-origin must be an origin such as https://app.example, not "${text}".`)
}

/** Next to the command line in the package; in the repository, the app's build folder. */
async function pageFolder(): Promise<string> {
  const folders = ['../console-page/', '../../dist/'].map(path =>
    fileURLToPath(new URL(path, import.meta.url)),
  )
  for (const folder of folders) {
    const hasConsole = await access(join(folder, 'console.html')).then(
      () => true,
      () => false,
    )
    if (hasConsole) return folder
  }
  throw new Error('The console page is not built. Run `npm run build` in this repository.')
}

function nextSignal(): Promise<void> {
  return new Promise(resolve => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
}

/** On a machine without a browser, an error is printed; the URL is already shown above. */
function openBrowser(url: string): void {
  const [program, ...args] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '', url]
        : ['xdg-open', url]
  const child = spawn(program as string, args, { stdio: 'ignore', detached: true })
  child.on('error', () => printError(`The browser could not be opened. Open ${url} yourself.\n`))
  child.unref()
}
