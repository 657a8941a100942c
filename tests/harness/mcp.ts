// A client of `chartroom mcp`: the official one, with the server in this process or on a command line.
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { fileURLToPath } from 'node:url'
import { joinApps, type LiveApps } from '../../src/cli/mcp/live.ts'
import { createServer } from '../../src/cli/mcp/server.ts'
import { Session } from '../../src/cli/mcp/session.ts'
import { atFileEnd, atTestEnd } from './endings.ts'

export interface McpOptions {
  readonly roots: readonly string[]
  readonly machines?: string
  readonly allowsControl?: boolean
  readonly reports?: string
  readonly live?: LiveApps
  /** Stays connected until the file ends, for all its tests. */
  readonly isForFile?: boolean
}

export interface Called {
  readonly text: string
  readonly isError: boolean
}

export type CallTool = (name: string, args?: Record<string, unknown>) => Promise<Called>

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
const INFO = { name: 'test', version: '1' }

/** Connects to a server in this process. */
export async function connectMcp(options: McpOptions): Promise<Client> {
  const { roots, machines, reports, live = joinApps([]), allowsControl = false } = options
  const session = new Session({ roots, machines, reports, live })
  const server = createServer({ session, version: '1', allowsControl })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const client = new Client(INFO)
  await Promise.all([server.connect(theirs), client.connect(ours)])
  ;(options.isForFile ? atFileEnd : atTestEnd)(() => client.close())
  return client
}

/** Connects to `chartroom mcp` on a command line in a folder, until the test ends. */
export async function startMcp(
  folder: string,
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const { PATH = '', HOME = '' } = process.env
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['--stack-size=4000', MAIN, 'mcp', ...args],
    cwd: folder,
    env: { PATH, HOME, ...environment },
    stderr: 'ignore',
  })
  const client = new Client(INFO)
  await client.connect(transport)
  atTestEnd(() => client.close())
  return client
}

/** Calls tools of a client; the text of each result. */
export const toolCaller =
  (client: Client): CallTool =>
  async (name, args = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: args })
    return { text: content.map(part => (part.type === 'text' ? part.text : '')).join('\n'), isError }
  }
